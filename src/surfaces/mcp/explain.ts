import { neutralise, neutraliseName } from '../../features/brief/decide/fence.ts'
import { CairnError, type ErrorCode } from '../../kernel/model/errors.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'

const MAX_CANDIDATES = 5
const MAX_CHARACTERS = 2_000

/** What an agent can do next: hints are written for the command line, and an agent has tools. */
const NEXT_STEPS: Partial<Readonly<Record<ErrorCode, string>>> = {
  entry_not_found: 'The tool `search` finds entries and their ids.',
  ambiguous_match: 'Call it again with one of these ids.',
  query_empty: 'Give `query` some words.',
  content_empty: 'Give `content` what should be kept, with its reason.',
  skill_not_found: 'The tool `skills` with `action: "list"` shows them.',
  workspace_not_found: 'Ask with a scope that is there, or search without one.',
  store_locked: 'Somebody else is writing: call it again in a moment.',
  write_interrupted: 'Call it again.',
}

/** A failure that becomes an answer; anything else is a defect of Cairn and is thrown. */
export function asAnswer(error: unknown): CairnError {
  const failure = errnoOf(error) === undefined ? error : asStorageError(error, 'The memory folder')
  if (failure instanceof CairnError) return failure
  throw failure
}

/** What is wrong, the candidates, and the next step. An error often repeats its input: a secret in it must not come back. */
export function explained({ code, message, hint, details }: CairnError): string {
  const candidates = (details?.candidates ?? []) as readonly {
    readonly id: string
    readonly snippet?: string
  }[]
  const rows = candidates
    .slice(0, MAX_CANDIDATES)
    .map(({ id, snippet = '' }) => `[${neutraliseName(id, 300)}] ${neutraliseName(snippet, 200)}`)
  // Candidates have rows of their own, so the message need not list them too.
  const said = rows.length === 0 ? message : (message.split('\n')[0] ?? message)
  const known = ((details?.known ?? []) as readonly string[]).map(name => neutraliseName(name, 100))
  const there = code === 'workspace_not_found' && known.length > 0 ? [`There are: ${known.join(', ')}.`] : []
  const text = [said, ...rows, ...there, NEXT_STEPS[code] ?? forAgent(hint)].join('\n')
  return neutralise(redact(text).text).slice(0, MAX_CHARACTERS)
}

/** A command needs a terminal, which the user has and the agent may have. */
function forAgent(hint: string): string {
  return hint.includes('`cairn ') && !hint.startsWith('Ask the user')
    ? `In a terminal, or by the user: ${hint}`
    : hint
}
