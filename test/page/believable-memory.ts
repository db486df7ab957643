import { writeFileSync } from 'node:fs'
import * as path from 'node:path'

export interface Line {
  readonly text: string
  readonly metadata: Readonly<Record<string, unknown>>
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A dozen entries of a small shop, written by two agents and a person. */
export function believableMemory(nowMs: number): Line[] {
  const before = (ms: number) => new Date(nowMs - ms).toISOString().slice(0, 16)
  const entry = (
    agoMs: number,
    category: string,
    text: string,
    more: Record<string, unknown> = {},
  ): Line => ({
    text,
    metadata: { category, date: before(agoMs), agent: 'dev', status: 'confirmed', ...more },
  })
  return [
    entry(
      25 * MINUTE_MS,
      'decisions',
      'Stream order updates by **SSE**, not WebSockets: the proxy in front of the shop drops idle sockets after 60 s, and updates only ever go one way. #sse #deploy',
      { kind: 'decision', status: 'pinned', files: ['src/orders/stream.ts'] },
    ),
    entry(
      3 * HOUR_MS,
      'decisions',
      'Prices are integers in cents everywhere; only the view formats them.\n\n```ts\nexport function formatPrice(cents: number, locale: string): string {\n  return new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(cents / 100)\n}\n```',
      { kind: 'architecture', files: ['src/money/format-price.ts'], tags: ['money'] },
    ),
    entry(
      DAY_MS,
      'decisions',
      'Sessions live in Redis with a TTL of 12 hours; the cookie holds nothing but the id. #auth',
      { agent: 'reviewer', tags: ['redis'] },
    ),
    entry(2 * DAY_MS, 'decisions', 'Answer in English, short, with the command first. #style', {
      kind: 'preference',
      agent: 'shared',
    }),
    entry(
      4 * DAY_MS,
      'decisions',
      'Move the checkout to its own service? Perhaps after the summer sale: it needs its own database first.',
      { status: 'candidate', agent: 'reviewer' },
    ),
    entry(
      5 * HOUR_MS,
      'lessons',
      '`spawn()` on Windows reports no reliable exit code when the process was ended by a timeout. Keep a `timedOut` flag of our own and call `kill()`. #windows',
      { kind: 'error', files: ['src/jobs/run.ts'] },
    ),
    entry(
      3 * DAY_MS,
      'lessons',
      'Never run the migration and the deploy in one step: the old version reads the new table for a minute. #deploy',
      { kind: 'warning', agent: 'reviewer' },
    ),
    entry(
      40 * MINUTE_MS,
      'handoffs',
      'Order stream is done and deployed to staging. Next: reconnect with `Last-Event-ID`, then the load test.',
    ),
    entry(2 * HOUR_MS, 'tasks', '- [ ] Rotate the signing key before June', { tags: ['auth'] }),
    entry(6 * HOUR_MS, 'tasks', '- [ ] Load test of the order stream\n- [x] Reconnect with Last-Event-ID'),
    entry(3 * DAY_MS, 'tasks', '- [x] Remove the old WebSocket gateway'),
    entry(
      9 * DAY_MS,
      'projects',
      'Shop in TypeScript: Hono, Postgres 16, React. Deploys on Tuesdays; `main` is always deployable.',
      { agent: 'shared' },
    ),
  ]
}

/** In the format of `cairn import`. */
export function writeLines(folder: string, lines: readonly Line[]): string {
  const file = path.join(folder, 'memory.jsonl')
  writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  return file
}
