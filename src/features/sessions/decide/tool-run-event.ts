import type { EventSignals, MemoryEvent } from '../../../kernel/model/event.ts'
import type { ToolRun } from '../../../kernel/model/message.ts'
import type { SessionKey } from '../../../kernel/model/session.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { keyPathsOf } from '../../../kernel/text/named-files.ts'
import { type RedactOptions, redact } from '../../../kernel/text/redaction/redact.ts'
import { type RunReading, readRun } from '../../../kernel/text/runs/read-run.ts'

export interface RunInSession {
  readonly key: SessionKey
  readonly run: ToolRun
  /** UTC ISO. */
  readonly at: string
  /** Index of its message in the conversation. */
  readonly message: number
  readonly newId: () => string
  /** What was run before it in this conversation, oldest first: a check that went as it did the last time is no news. */
  readonly earlier?: readonly ToolRun[]
  readonly redaction?: RedactOptions
}

const MAX_SUMMARY_LENGTH = 300
const MAX_COMMAND_LENGTH = 120
const LOOKED_BACK = 50

/**
 * What a tool run leaves in the event stream; undefined for one that says nothing (reading a file, listing a folder).
 *
 *   a check             how it went, and the error when it failed
 *   another command     only when it failed with an error that tells something
 *   an edit             which files, once a session
 */
export function eventOfRun(input: RunInSession): MemoryEvent | undefined {
  const { run, key, message, earlier = [] } = input
  const reading = readRun(run)
  const clean = (text: string) => redact(text, input.redaction).text
  const error = reading.error && clean(reading.error.line)
  const signals = (more: Partial<EventSignals>): EventSignals => ({ ...NOTHING, ...more })
  const made = (summary: string, identity: string, found: EventSignals): MemoryEvent => ({
    id: input.newId(),
    kind: 'tool_run',
    sourceId: `session:${key.session}`,
    createdAt: input.at,
    contentHash: fingerprint(`${key.session} ${key.agent} ${identity}`),
    summary: clean(summary).slice(0, MAX_SUMMARY_LENGTH),
    signals: found,
    sourceRef: `conversations/${key.agent}/${key.session}#${message}`,
  })

  if (run.isEdit === true) {
    const files = keyPathsOf(run.files ?? []).map(clean)
    if (files.length === 0 || reading.outcome === 'failed') return undefined
    const shown =
      files.length > 3 ? `${files.slice(0, 3).join(', ')} and ${files.length - 3} more` : files.join(', ')
    return made(`Changed ${shown}`, `edit ${[...files].sort().join(' ')}`, signals({ keyPaths: files }))
  }

  const observations = reading.checks.map(({ command, outcome }) => ({ command: clean(command), outcome }))
  if (observations.length === 0 && !(reading.outcome === 'failed' && isAct(reading) && error !== undefined))
    return undefined
  if (isRepeated(reading, earlier)) return undefined
  const paths = keyPathsOf(
    run.files ?? [],
    reading.outcome === 'failed' ? run.output?.slice(-4_000) : '',
  ).map(clean)
  const [act] = reading.acts
  const what =
    observations.length > 0
      ? observations.map(({ command }) => `\`${command}\``).join(' and ')
      : `\`${clean(act?.line ?? run.tool).slice(0, MAX_COMMAND_LENGTH)}\``
  const summary = `${what} ${reading.outcome}${error === undefined ? '' : `: ${error}`}`
  return made(
    summary,
    `run ${message} ${summary}`,
    signals({
      gotchas: error === undefined ? [] : [`${what}: ${error}`.slice(0, MAX_SUMMARY_LENGTH)],
      keyPaths: paths,
      validationObservations: observations,
    }),
  )
}

const NOTHING: EventSignals = {
  decisions: [],
  gotchas: [],
  nextStepHints: [],
  keyPaths: [],
  validationObservations: [],
}

function isAct(reading: RunReading): boolean {
  return reading.acts.length > 0
}

/** The same checks ended the same way the last time they were run, with the same error. */
function isRepeated(reading: RunReading, earlier: readonly ToolRun[]): boolean {
  const open = new Map(reading.checks.map(check => [check.key, check]))
  if (open.size === 0) return false
  for (let at = earlier.length - 1; at >= Math.max(0, earlier.length - LOOKED_BACK) && open.size > 0; at--) {
    const before = readRun(earlier[at] as ToolRun)
    for (const { key, outcome } of before.checks) {
      const now = open.get(key)
      if (now === undefined) continue
      if (now.outcome !== outcome || before.error?.line !== reading.error?.line) return false
      open.delete(key)
    }
  }
  return open.size === 0
}
