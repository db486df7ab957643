import { LAYOUT } from '../../../kernel/layout.ts'
import { isObject } from '../../../kernel/model/json-value.ts'
import { counted, shortName, type ValidationFinding } from './finding.ts'
import { type AddFinding, type JsonReading, judgeObject, judgeVersion } from './json-text.ts'
import { isMoment } from './log-lines.ts'

const MAX_RECORDS = 20

interface CurationFacts {
  /** `curation.json`, or `local/curation.json`. */
  readonly file: string
  /** Whether the vault or the archive has the entry. */
  readonly isKnown: (id: string) => boolean
  /** Whether a record of `conflicts` is one that is used. */
  readonly isResolution: (value: unknown) => boolean
}

const isCount = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isText = (value: unknown) => typeof value === 'string'

/** What each section has under a key, and how it is written. */
const SECTIONS: Readonly<
  Record<
    string,
    { readonly isGood: (value: unknown) => boolean; readonly example: string; readonly byEntry: boolean }
  >
> = {
  aliases: {
    isGood: value => Array.isArray(value) && value.every(isText),
    example: '"aliases": { "ledger": ["accounting"] }',
    byEntry: false,
  },
  feedback: {
    isGood: value => isObject(value) && isCount(value.useful ?? 0) && isCount(value.wrong ?? 0),
    example: '"feedback": { "<entry>": { "useful": 1, "wrong": 0 } }',
    byEntry: true,
  },
  confirmations: {
    isGood: value => isObject(value) && isMoment(value.at),
    example: '"confirmations": { "<entry>": { "at": "2026-03-16T16:51:11.839Z", "by": "cli" } }',
    byEntry: true,
  },
}

/** One of the two files of what people decided. What cannot be read there is not used, and no other command reports it. */
export function judgeCuration(reading: JsonReading, facts: CurationFacts): ValidationFinding[] {
  const fix = 'Mend the file by hand: it has what people decided.'
  return judgeObject(facts.file, reading, { code: 'curation_damaged', fix }, (document, add) => {
    if (judgeVersion('curation.json', document.version, add, 'curation') === 'newer') return
    const ids = [...judgeSections(document, add), ...judgeLists(document, facts.isResolution, add)].filter(
      id => !facts.isKnown(id),
    )
    const [first] = ids
    if (first !== undefined)
      add(
        'curation_entry_gone',
        'note',
        [first],
        `${counted(new Set(ids).size, 'entry', 'entries')} that it names ${ids.length === 1 ? 'is' : 'are'} neither in the vault nor in the archive, the first ${shortName(first)}`,
        'Nothing has to be done: in a clone they may be in `private/`. Remove what is long gone.',
      )
  })
}

/** Returns the entries that its sections name. */
function judgeSections(document: Record<string, unknown>, add: AddFinding): string[] {
  return Object.entries(SECTIONS).flatMap(([name, { isGood, example, byEntry }]) => {
    const section = document[name]
    if (section === undefined) return []
    if (!isObject(section)) {
      const message = `\`${name}\` is not an object, and is not used`
      add('curation_section_invalid', 'error', [name], message, `Write ${example}.`)
      return []
    }
    const keys = Object.keys(section)
    for (const key of keys.filter(each => !isGood(section[each])).slice(0, MAX_RECORDS))
      add(
        'curation_record_invalid',
        'warning',
        [name, key],
        `what \`${name}\` has for ${shortName(key)} cannot be read, and is not used`,
        `Write ${example}, or remove it.`,
      )
    return byEntry ? keys : []
  })
}

function judgeLists(
  document: Record<string, unknown>,
  isResolution: (value: unknown) => boolean,
  add: AddFinding,
): string[] {
  return (['conflicts', 'rejections'] as const).flatMap(name => {
    const list = document[name]
    if (list === undefined) return []
    if (!Array.isArray(list)) {
      const message = `\`${name}\` is not a list, and is not used`
      add('curation_section_invalid', 'error', [name], message, `Write "${name}": [].`)
      return []
    }
    const isConflicts = name === 'conflicts'
    const isGood = isConflicts ? isResolution : isObject
    const wrong = list.flatMap((record, at) => (isGood(record) ? [] : [at + 1]))
    for (const number of wrong.slice(0, MAX_RECORDS))
      add(
        'curation_record_invalid',
        'warning',
        [name],
        `record ${number} of \`${name}\` cannot be read, and is not used`,
        isConflicts
          ? 'Mend or remove it, and decide again: `cairn conflicts resolve`.'
          : 'Mend or remove it.',
      )
    return isConflicts ? list.filter(isGood).flatMap(({ entryA, entryB }) => [entryA, entryB]) : []
  })
}

/** `history/proposals.json`: what agents ask to change. What cannot be read there is not shown. */
export function judgeProposals(
  reading: JsonReading,
  isProposed: (value: unknown) => boolean,
): ValidationFinding[] {
  const fix = 'Mend the file, or remove it: then nothing is proposed, and nothing counts as rejected.'
  return judgeObject(LAYOUT.proposals.path, reading, { code: 'proposals_damaged', fix }, (document, add) => {
    for (const name of ['waiting', 'rejected'] as const) {
      const section = document[name]
      if (section === undefined) continue
      const isGood = name === 'waiting' ? isProposed : isRejection
      const report = (keys: readonly string[], what: string) =>
        add(
          'proposal_invalid',
          'warning',
          keys,
          `${what} cannot be read, and is not used`,
          'Remove it; an agent can propose it again.',
        )
      if (!isObject(section)) report([name], `\`${name}\``)
      else
        for (const id of Object.keys(section)
          .filter(each => !isGood(section[each]))
          .slice(0, MAX_RECORDS))
          report([name, id], shortName(id))
    }
  })
}

function isRejection(value: unknown): boolean {
  return isObject(value) && typeof value.print === 'string'
}
