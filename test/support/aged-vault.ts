import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import * as path from 'node:path'
import { type ComposeOptions, composeEngine } from '../../src/compose/compose.ts'
import type { ComposedCheckout } from '../../src/compose/composed.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { recall } from '../../src/features/state/recall.ts'
import type { NewEntry } from '../../src/kernel/model/new-entry.ts'
import { type Clock, systemClock } from '../../src/kernel/system/clock.ts'
import { writeIn } from './scratch-project.ts'

export const DAY_MS = 86_400_000

/** A clock that stands at a moment. */
export function clockAt(ms: number): Clock {
  return { ...systemClock, nowMs: () => ms }
}

export const NOW_MS = Date.parse('2026-11-15T12:00:00Z')

/** Opens a project as it would be at a moment. */
export function openAt(root: string, ms = NOW_MS, options: Partial<ComposeOptions> = {}): ComposedCheckout {
  return composeEngine({ root, clock: clockAt(ms), actor: { host: 'test' }, ...options })
}

export type AgedEntry = NewEntry & { readonly ageDays: number }

/** Entries that were captured so many days ago, each at its time. */
export async function furnishAged(
  root: string,
  entries: readonly AgedEntry[],
  nowMs = NOW_MS,
): Promise<string[]> {
  const ids: string[] = []
  const oldestFirst = [...entries].sort((a, b) => b.ageDays - a.ageDays)
  for (let at = 0; at < oldestFirst.length; ) {
    const { ageDays } = oldestFirst[at] as AgedEntry
    const sameDay = oldestFirst.slice(at).filter(entry => entry.ageDays === ageDays)
    const engine = openAt(root, nowMs - ageDays * DAY_MS)
    const results = await remember(
      engine,
      sameDay.map(({ ageDays: _, ...entry }) => entry),
    )
    ids.push(...results.map(({ entry }) => entry.id))
    await engine.close()
    at += sameDay.length
  }
  return ids
}

export function captured(content: string, ageDays: number, more: Partial<NewEntry> = {}): AgedEntry {
  return { content, ageDays, kind: 'discovery', origin: 'machine', status: 'candidate', ...more }
}

/** Every file below `.memory/` with its bytes and its time, but for what `except` matches. */
export function treeOf(root: string, except: RegExp): Record<string, string> {
  const tree: Record<string, string> = {}
  const memory = path.join(root, '.memory')
  for (const item of readdirSync(memory, { recursive: true, withFileTypes: true })) {
    const file = path.join(item.parentPath, item.name)
    const name = path.relative(memory, file)
    if (item.isFile() && !except.test(name)) tree[name] = readFileSync(file, 'latin1')
  }
  return tree
}

/** What no person reads: the index and its lock. */
export const LOCAL = /^\.vault\/(?:index\.db|lock\.db|backup)/
export const VAULT_ONLY =
  /^(?:\.vault|history|archive)\/|^(?:local\/)?(?:curation\.json|\.gitignore)$|\.gitkeep$/

/** Beside entries: a long closed conversation, an old session, checkpoints, events, and leftovers of a migration. */
export async function furnishHistory(root: string): Promise<void> {
  const longAgo = NOW_MS - 200 * DAY_MS
  const yesterday = NOW_MS - DAY_MS
  await closeSession(root, { session: 'long', atMs: yesterday, messages: 25 })
  await closeSession(root, { session: 'old', atMs: longAgo, messages: 3 })
  const engine = openAt(root, NOW_MS - 8 * DAY_MS)
  const checkpoint = { version: 1, agentId: 'dev', savedAt: NOW_MS - 8 * DAY_MS, messages: [] } as const
  await engine.sessions.saveCheckpoint({ ...checkpoint, sessionId: 'long' })
  await engine.sessions.saveCheckpoint({ ...checkpoint, sessionId: 'lost' })
  await engine.events.append(
    [400, 380, 10].map(ageDays => ({
      id: `event-${ageDays}`,
      kind: 'tool_run',
      sourceId: 'session:old',
      createdAt: new Date(NOW_MS - ageDays * DAY_MS).toISOString(),
      contentHash: `hash-${ageDays}`,
      summary: `npm test, ${ageDays} days ago`,
      signals: { decisions: [], gotchas: [], nextStepHints: [], keyPaths: [], validationObservations: [] },
      sourceRef: 'conversations/dev/old.json#1',
    })),
  )
  // Events that recall has not seen stay.
  await recall(engine)
  await engine.close()
  writeIn(root, '.memory/.vault/checkpoints/dev/torn.json', '{"version": 1, "mess')
  writeIn(root, '.memory/dev.md.bak', '\n')
  for (const [name, ageDays] of [
    ['new', 1],
    ['aged', 60],
    ['older', 90],
  ] as const) {
    const file = `.memory/history/checkpoints/${name}.json`
    writeIn(root, file, `{"snapshot": "${name}"}\n`)
    const seconds = (NOW_MS - ageDays * DAY_MS) / 1000
    utimesSync(path.join(root, file), seconds, seconds)
  }
}

export async function closeSession(
  root: string,
  { session, atMs, messages }: { session: string; atMs: number; messages: number },
): Promise<void> {
  const engine = openAt(root, atMs)
  const at = new Date(atMs).toISOString()
  const key = { session, agent: 'dev' }
  await engine.sessions.start({ ...key, host: 'test', startedAt: at })
  const said = Array.from({ length: messages }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    text: `Message ${n} of ${session}.`,
    at,
  }))
  await engine.sessions.append(key, said)
  const conversation = await engine.sessions.read(key)
  await engine.sessions.settle(key, {
    messages: conversation?.messages ?? [],
    trimmed: 0,
    expected: messages,
  })
  await engine.sessions.saveMemory({
    version: 1,
    sessionId: session,
    agentId: 'dev',
    findings: [],
    summary: `What became of ${session}.`,
    createdAt: atMs,
    finalizedAt: atMs,
    distilled: { dev: messages },
  })
  await engine.close()
}
