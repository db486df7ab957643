import * as v from 'valibot'
import { LAYOUT } from '../../../kernel/layout.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { BUNDLE_SECTIONS } from '../../../kernel/model/bundle.ts'
import type { UpkeepPorts } from '../../upkeep/decide/ports.ts'
import type { GitPorts, ValidatePorts } from '../../validate/decide/ports.ts'
import { countEvents } from '../decide/backlog.ts'
import { driftOf } from '../decide/diff-bundle.ts'
import type { StatePorts, StateReading } from '../decide/ports.ts'

const EVENTS = LAYOUT.events.path
/** A log of 50,000 events is read whole; of a longer one only the end. */
const MAX_LOG_BYTES = 32 * 1_048_576
const MAX_SOURCES = 10
/** How many events are parsed for the files that they name. */
const MAX_PARSED = 2_000
const DAY_MS = 86_400_000

const amount = (description: string) => v.pipe(v.number(), v.description(description))

export const stateViewSchema = v.object({
  kind: v.pipe(
    v.picklist(['none', 'read', 'newer', 'damaged']),
    v.description('Whether state.json is there and can be used'),
  ),
  generatedAt: v.nullable(v.string()),
  provider: v.nullable(v.string()),
  handEdited: v.pipe(v.boolean(), v.description('The bundle was changed by hand')),
  recall: v.object({
    lastAt: v.nullable(v.string()),
    auto: v.pipe(v.boolean(), v.description('`automation.autoRecall`')),
    due: v.pipe(v.boolean(), v.description('It will run automatically after the next session')),
  }),
  checkpoints: v.object({
    count: v.number(),
    latest: v.nullable(v.object({ id: v.string(), at: v.string() })),
  }),
  drift: v.pipe(
    v.nullable(
      v.object({
        sections: v.array(
          v.object({ section: v.picklist(BUNDLE_SECTIONS), added: v.number(), removed: v.number() }),
        ),
        events: amount('New in the log'),
        entries: amount('Dated since then'),
        commits: v.pipe(v.nullable(v.number()), v.description('null: no log of git')),
        files: amount('Changed by agents, according to the events'),
      }),
    ),
    v.description('Since the latest checkpoint; null without one'),
  ),
  backlog: v.object({
    events: amount('Not recalled yet'),
    isWhole: v.pipe(v.boolean(), v.description('False: the log is long, and only its end was read')),
    sources: v.pipe(
      v.array(v.object({ source: v.string(), events: v.number() })),
      v.description(`The ${MAX_SOURCES} with most`),
    ),
    threshold: amount('`recall.backlogWarnThreshold`; 0: no warning'),
    isOver: v.boolean(),
  }),
  events: amount('Number of events in the part of the log that was read'),
  growth: v.object({
    entriesWeek: v.number(),
    entriesMonth: v.number(),
    eventsWeek: v.number(),
  }),
})

export type StateView = v.InferOutput<typeof stateViewSchema>

/** The status of the project's state, without parsing the whole log of events. */
export async function stateView(
  memory: Memory & UpkeepPorts & StatePorts & ValidatePorts,
): Promise<StateView> {
  const config = await memory.config()
  const reading = await memory.state.read()
  const state = reading.kind === 'read' ? reading.state : undefined
  const checkpoints = await memory.state.checkpoints()
  const [latest] = checkpoints
  const nowMs = memory.clock.nowMs()
  const weekMs = nowMs - 7 * DAY_MS
  const checkpointMs = latest === undefined ? nowMs : Date.parse(latest.createdAt)
  const { text, isWhole } = await readLog(memory)
  const cursors = state?.maintenance.recallCursors ?? {}
  const moments = [checkpointMs, weekMs].map(ms => new Date(ms).toISOString())
  const counts = countEvents(text, cursors, moments)
  const waiting = [...counts.waitingBySource]
  const backlog = waiting.reduce((sum, [, count]) => sum + count, 0)
  const [eventsSince = 0, eventsWeek = 0] = counts.since
  const made = await memory.upkeepIndex.madeSince([checkpointMs, weekMs, nowMs - 30 * DAY_MS])
  const [entriesSince = 0, entriesWeek = 0, entriesMonth = 0] = made
  const lastAt = state?.maintenance.lastRecalledAt ?? null
  const threshold = config['recall.backlogWarnThreshold']
  const intervalMs = config['automation.intervalMinutes'] * 60_000
  const isOld = lastAt === null || nowMs - Date.parse(lastAt) >= intervalMs
  return {
    kind: reading.kind,
    generatedAt: state?.generatedAt ?? null,
    provider: state?.provider ?? null,
    handEdited: reading.kind === 'read' && reading.isHandEdited === true,
    recall: {
      lastAt,
      auto: config['automation.autoRecall'],
      due: config['automation.autoRecall'] && isOld && backlog > 0,
    },
    checkpoints: {
      count: checkpoints.length,
      latest: latest === undefined ? null : { id: latest.id, at: latest.createdAt },
    },
    drift:
      latest === undefined
        ? null
        : {
            sections: await sectionsDrifted(memory, reading, latest.id),
            events: eventsSince,
            entries: entriesSince,
            commits: await commitsAfter(memory, checkpointMs),
            files: filesTouched(text, counts.youngLines),
          },
    backlog: {
      events: backlog,
      isWhole,
      sources: waiting
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .slice(0, MAX_SOURCES)
        .map(([source, events]) => ({ source, events })),
      threshold,
      isOver: threshold > 0 && backlog > threshold,
    },
    events: counts.count,
    growth: { entriesWeek, entriesMonth, eventsWeek },
  }
}

async function readLog(memory: ValidatePorts): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const read = await memory.memoryTree.readEnd(EVENTS, MAX_LOG_BYTES)
  if (read === undefined) return { text: '', isWhole: true }
  const { bytes, isWhole } = read
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  // The first line of the end may be incomplete.
  return { text: isWhole ? text : text.slice(text.indexOf('\n') + 1), isWhole }
}

async function sectionsDrifted(memory: StatePorts, reading: StateReading, checkpoint: string) {
  const before = reading.kind === 'read' ? await memory.state.readCheckpoint(checkpoint) : undefined
  if (reading.kind !== 'read' || before?.kind !== 'read') return []
  return driftOf(before.checkpoint.bundle, reading.state.bundle)
}

async function commitsAfter(memory: Memory & Partial<GitPorts>, ms: number): Promise<number | null> {
  const log = await memory.gitTracking?.headLog()
  return log === undefined ? null : commitsSince(log, ms)
}

/**
 * The number of commits in `.git/logs/HEAD` since a time. It has a line for each move of HEAD, with time and reason.
 *
 *   <old> <new> Name <mail> 1773679871 +0100<tab>commit: Rotate the key
 *
 * Commits, merges and pulls count; a checkout of another branch does not.
 */
function commitsSince(log: string, sinceMs: number): number {
  let commits = 0
  for (const line of log.split('\n')) {
    const match = /> (\d{1,12}) [+-]\d{4}\t(?:commit|merge|pull|cherry-pick|revert|am)\b/.exec(line)
    if (match !== null && Number(match[1]) * 1000 > sinceMs) commits++
  }
  return commits
}

function filesTouched(text: string, lines: readonly number[]): number {
  const files = new Set<string>()
  for (const at of lines.slice(-MAX_PARSED)) {
    const newline = text.indexOf('\n', at)
    for (const file of keyPathsOf(text.slice(at, newline === -1 ? text.length : newline))) files.add(file)
  }
  return files.size
}

/** Empty for a cut or damaged line: `cairn validate` reports it. */
function keyPathsOf(line: string): string[] {
  try {
    const { signals } = JSON.parse(line) as { signals?: { keyPaths?: unknown } | null }
    return Array.isArray(signals?.keyPaths) ? signals.keyPaths.map(String) : []
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return []
  }
}
