import { planRecall, type RecallPlan } from '../../src/features/state/decide/plan-recall.ts'
import type { RecallInput } from '../../src/features/state/decide/recall-input.ts'
import type { Bundle } from '../../src/kernel/model/bundle.ts'
import type { Entry } from '../../src/kernel/model/entry.ts'
import type { EventSignals, MemoryEvent } from '../../src/kernel/model/event.ts'
import { fingerprint } from '../../src/kernel/text/fingerprint.ts'
import { redact } from '../../src/kernel/text/redaction/redact.ts'

const EMPTY_MAP = { languages: [], packages: [], entryPoints: [], scripts: [], folders: [] }

/** `day(3)` is the third of March. */
export const day = (number: number, hour = 10) => new Date(Date.UTC(2026, 2, number, hour)).toISOString()

let made = 0

export function entry(content: string, more: Partial<Entry> = {}): Entry {
  made++
  const kind = more.kind ?? 'warning'
  const category =
    kind === 'task'
      ? 'tasks'
      : kind === 'decision'
        ? 'decisions'
        : kind === 'handoff'
          ? 'handoffs'
          : 'lessons'
  return {
    id: `e${made}`,
    agent: 'shared',
    category,
    kind,
    status: 'confirmed',
    origin: 'person',
    date: day(1).slice(0, 16),
    content,
    tags: [],
    files: [],
    importance: 0.5,
    ...more,
  }
}

export function session(
  name: string,
  at: string,
  signals: Partial<EventSignals>,
  summary = 'Nothing was found.',
): MemoryEvent {
  made++
  return {
    id: `v${made}`,
    kind: 'imported_session',
    sourceId: `session:${name}`,
    createdAt: at,
    contentHash: fingerprint(`${name} ${made}`),
    summary,
    signals: {
      decisions: [],
      gotchas: [],
      nextStepHints: [],
      keyPaths: [],
      validationObservations: [],
      ...signals,
    },
    sourceRef: `sessions/${name}.memory.json`,
  }
}

export function run(
  name: string,
  at: string,
  command: string,
  outcome: 'passed' | 'failed',
  error?: string,
): MemoryEvent {
  const signals = {
    validationObservations: [{ command, outcome }],
    gotchas: error === undefined ? [] : [`\`${command}\`: ${error}`],
  }
  return { ...session(name, at, signals), kind: 'tool_run' }
}

export function input(
  more: Partial<Omit<RecallInput, 'entries'>> & { readonly entries?: readonly Entry[] | undefined } = {},
): RecallInput {
  const { entries, ...rest } = more
  return {
    bundle: undefined,
    events: [],
    project: { map: EMPTY_MAP, facts: { name: 'shop' }, packageManager: 'npm' },
    policy: 'balanced',
    sections: ['project', 'projectMap', 'currentFocus', 'gotchas', 'nextSteps', 'validationCommands'],
    clean: text => redact(text).text,
    ...rest,
    entries:
      'entries' in more && entries === undefined
        ? undefined
        : (entries ?? []).map(one => ({ entry: one, isSuperseded: false })),
  }
}

export type Step = Parameters<typeof input>[0]

/** Recalls again and again, as a project lives: each step adds to what is there. */
export function history(...steps: readonly Step[]): RecallPlan {
  let plan: RecallPlan | undefined
  for (const step of steps)
    plan = planRecall({
      ...input(step),
      ...(plan !== undefined && {
        bundle: plan.bundle,
      }),
    })
  if (plan === undefined) throw new Error('a history has steps')
  return plan
}

export const said = (bundle: Bundle, section: 'currentFocus' | 'gotchas' | 'nextSteps') =>
  bundle[section].map(({ text }) => text)
