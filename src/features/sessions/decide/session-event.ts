import type { Kind } from '../../../kernel/model/category.ts'
import type { MemoryEvent, ValidationObservation } from '../../../kernel/model/event.ts'
import type { ToolRun } from '../../../kernel/model/message.ts'
import type { Finding, SessionKey } from '../../../kernel/model/session.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import { keyPathsOf } from '../../../kernel/text/named-files.ts'
import { type RedactOptions, redact } from '../../../kernel/text/redaction/redact.ts'
import { readRun } from '../../../kernel/text/runs/read-run.ts'

export interface SessionToTell {
  readonly key: SessionKey
  readonly summary: string
  readonly findings: readonly Pick<Finding, 'text' | 'kind' | 'files'>[]
  /** What was run in it, oldest first. */
  readonly runs?: readonly ToolRun[]
  /** What its handoff says is left. */
  readonly left?: readonly string[]
  /** UTC ISO: when it ended. */
  readonly at: string
  readonly newId: () => string
  /** The import source it comes from; without one it is the session itself. */
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

/** What a session that ended, or was imported, leaves in the event stream. The same session with the same findings is one event. */
export function eventOfSession(input: SessionToTell): MemoryEvent {
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

/** A kind of a person's own says nothing about what to do next or what was decided; it is something found. */
function signalOf(kind: Kind): 'decisions' | 'gotchas' | 'nextStepHints' | undefined {
  if (kind === 'handoff' || kind === 'project' || kind === 'file_change') return undefined
  return Object.hasOwn(SIGNAL_OF_KIND, kind) ? SIGNAL_OF_KIND[kind] : 'gotchas'
}

/** How each check stood in the end. */
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
