import { isObject } from '../../../kernel/model/json-value.ts'
import { inMemory, shortName, type ValidationFinding } from './finding.ts'
import { type JsonReading, lineOfKey } from './json-text.ts'

const PATH = 'history/proposals.json'
const MAX_TOLD = 20

/** `history/proposals.json`: what agents ask to change. What cannot be read there is not shown to anybody. */
export function judgeProposals(
  reading: JsonReading,
  isProposed: (value: unknown) => boolean,
): ValidationFinding[] {
  const path = inMemory(PATH)
  if (reading.kind === 'damaged' || !isObject(reading.value))
    return [
      {
        code: 'proposals_damaged',
        severity: 'error',
        path,
        line: reading.kind === 'damaged' ? reading.line : 1,
        message: `the file cannot be read: ${reading.kind === 'damaged' ? reading.why : 'it is not a JSON object'}`,
        fix: 'Mend the file, or remove it: then nothing is proposed, and nothing counts as rejected.',
      },
    ]
  const { value: document, text } = reading
  const findings: ValidationFinding[] = []
  for (const name of ['waiting', 'rejected'] as const) {
    const section = document[name]
    if (section === undefined) continue
    const isGood = name === 'waiting' ? isProposed : isRejection
    const wrong = isObject(section) ? Object.keys(section).filter(id => !isGood(section[id])) : ['']
    for (const id of wrong.slice(0, MAX_TOLD)) {
      const line = lineOfKey(text, id === '' ? [name] : [name, id])
      findings.push({
        code: 'proposal_invalid',
        severity: 'warning',
        path,
        ...(line !== undefined && { line }),
        message: `${id === '' ? `\`${name}\`` : shortName(id)} cannot be read, and is not used`,
        fix: 'Remove it; an agent can propose it again.',
      })
    }
  }
  return findings
}

function isRejection(value: unknown): boolean {
  return isObject(value) && typeof value.print === 'string'
}
