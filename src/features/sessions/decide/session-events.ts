import type { Kind } from '../../../kernel/model/category.ts'
import type { EventSignals, MemoryEvent, ValidationObservation } from '../../../kernel/model/event.ts'
import type { ToolRun } from '../../../kernel/model/message.ts'
import type { Finding, SessionKey } from '../../../kernel/model/session.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { keyPathsOf } from '../../../kernel/text/named-files.ts'
import { type RedactOptions, redact } from '../../../kernel/text/redaction/redact.ts'
import { type RunReading, readRun } from '../../../kernel/text/runs/read-run.ts'

interface RunInSession {
  readonly key: SessionKey
  readonly run: ToolRun
  /** UTC ISO. */
  readonly at: string
  /** Index of its message in the conversation. */
  readonly message: number
  readonly newId: () => string
  /** The runs before it in this conversation, oldest first: a check with an unchanged outcome is not reported. */
  readonly earlier?: readonly ToolRun[]
  readonly redaction?: RedactOptions
}

const MAX_RUN_SUMMARY_CHARACTERS = 300
const MAX_COMMAND_LENGTH = 120
const LOOKED_BACK = 50

/**
 * The event of a tool run; undefined if it is not worth one (reading a file, listing a folder).
 *
 *   a check             its outcome, and the error if it failed
 *   another command     only if it failed with an informative error
 *   an edit             the files, once per session
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
    summary: clean(summary).slice(0, MAX_RUN_SUMMARY_CHARACTERS),
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
      gotchas: error === undefined ? [] : [`${what}: ${error}`.slice(0, MAX_RUN_SUMMARY_CHARACTERS)],
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

/** The same checks ended in the same way the last time, with the same error. */
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

interface SessionForEvent {
  readonly key: SessionKey
  readonly summary: string
  readonly findings: readonly Pick<Finding, 'text' | 'kind' | 'files'>[]
  /** The runs in it, oldest first. */
  readonly runs?: readonly ToolRun[]
  /** The open steps in its handoff. */
  readonly left?: readonly string[]
  /** UTC ISO: when it ended. */
  readonly at: string
  readonly newId: () => string
  /** The import source; without one it is the session itself. */
  readonly sourceId?: string
  readonly sourceRef?: string
  readonly redaction?: RedactOptions
}

const MAX_SUMMARY_LENGTH = 500
const MAX_SIGNALS = 20
const SIGNAL_OF_KIND: Readonly<Record<string, 'decisions' | 'gotchas' | 'nextStepHints'>> = {
  decision: 'decisions',
  architecture: 'decisions',
  preference: 'decisions',
  pattern: 'decisions',
  warning: 'gotchas',
  error: 'gotchas',
  discovery: 'gotchas',
  lesson: 'gotchas',
  task: 'nextStepHints',
  task_progress: 'nextStepHints',
}

/** The event of a session that ended or was imported. The same session with the same findings gives the same event. */
export function eventOfSession(input: SessionForEvent): MemoryEvent {
  const { key, findings, runs = [], left = [], redaction } = input
  const clean = (text: string) => redact(text, redaction).text
  const of = (signal: 'decisions' | 'gotchas' | 'nextStepHints') =>
    unique(findings.filter(({ kind }) => signalOf(kind) === signal).map(({ text }) => clean(text)))
  const files = [
    ...findings.flatMap(finding => finding.files),
    ...runs.filter(run => run.isEdit === true).flatMap(run => run.files ?? []),
  ]
  return {
    id: input.newId(),
    kind: 'imported_session',
    sourceId: input.sourceId ?? `session:${key.session}`,
    createdAt: input.at,
    contentHash: fingerprint(
      [key.session, key.agent, ...findings.map(({ text }) => fingerprint(text))].join(' '),
    ),
    summary: clean(input.summary.replace(/\s+/g, ' ').trim()).slice(0, MAX_SUMMARY_LENGTH),
    signals: {
      decisions: of('decisions'),
      gotchas: of('gotchas'),
      nextStepHints: unique([...of('nextStepHints'), ...left.map(clean)]),
      keyPaths: keyPathsOf(files).map(clean),
      validationObservations: lastOutcomes(runs).map(({ command, outcome }) => ({
        command: clean(command),
        outcome,
      })),
    },
    sourceRef: input.sourceRef ?? `sessions/${key.session}.memory.json`,
  }
}

/** A user-defined kind is neither a next step nor a decision, so it counts as a finding. */
function signalOf(kind: Kind): 'decisions' | 'gotchas' | 'nextStepHints' | undefined {
  if (kind === 'handoff' || kind === 'project' || kind === 'file_change') return undefined
  return Object.hasOwn(SIGNAL_OF_KIND, kind) ? SIGNAL_OF_KIND[kind] : 'gotchas'
}

/** The last outcome of each check. */
function lastOutcomes(runs: readonly ToolRun[]): ValidationObservation[] {
  const byKey = new Map<string, ValidationObservation>()
  for (const run of runs) {
    for (const { key, command, outcome } of readRun(run).checks) {
      byKey.delete(key)
      byKey.set(key, { command, outcome })
    }
  }
  return [...byKey.values()].slice(-MAX_SIGNALS)
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, MAX_SIGNALS)
}
