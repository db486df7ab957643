import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { search } from '../../src/features/search/search-memory.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'

/**
 * Twenty memories of one project and what its developers ask. The expected orders are literals: a change of the
 * analyser or of the ranking shows here as what people would see.
 */
interface Memory {
  readonly id: string
  readonly date: string
  readonly content: string
  readonly kind: string
  readonly tags?: readonly string[]
  readonly files?: readonly string[]
  readonly session?: string
}

const MEMORIES: readonly Memory[] = [
  {
    id: 'pg',
    date: '2026-01-05T10:00',
    kind: 'decision',
    tags: ['db'],
    files: ['src/store/postgres.ts'],
    content: 'We chose Postgres over MySQL: row-level security is needed for tenants.',
  },
  {
    id: 'pool',
    date: '2026-01-06T09:00',
    kind: 'lesson',
    tags: ['db', 'performance'],
    files: ['src/store/pool.ts'],
    content:
      'Connection pool exhausted under load tests; maxPoolSize is now 20 and idle connections close after 30 s.',
  },
  {
    id: 'retry',
    date: '2026-01-08T11:00',
    kind: 'pattern',
    tags: ['http'],
    files: ['src/http/retry.ts'],
    content: 'Retries use exponential backoff with jitter, maxRetryCount = 5, only for idempotent requests.',
  },
  {
    id: 'jwt',
    date: '2026-01-09T15:30',
    kind: 'decision',
    tags: ['auth'],
    files: ['src/auth/token.ts'],
    content: 'Access tokens live 15 minutes, refresh tokens rotate on each use and are revoked as a family.',
  },
  {
    id: 'passwords',
    date: '2026-01-12T08:00',
    kind: 'decision',
    tags: ['auth', 'security'],
    content: 'Passwords are hashed with argon2id; bcrypt hashes are upgraded at the next login.',
  },
  {
    id: 'commits',
    date: '2026-01-13T12:00',
    kind: 'preference',
    tags: ['style'],
    content: 'Commit subjects in the imperative, at most 60 characters, no ticket numbers.',
  },
  {
    id: 'flaky',
    date: '2026-02-02T17:00',
    kind: 'lesson',
    tags: ['testing', 'ci'],
    files: ['test/e2e/login.spec.ts'],
    content:
      'The login spec was flaky since it waited for a fixed 500 ms; wait for the network to be idle instead.',
  },
  {
    id: 'cache',
    date: '2026-02-10T10:20',
    kind: 'error',
    tags: ['cache', 'redis'],
    files: ['src/cache/redis.ts'],
    content: 'Stale prices after deploy: the cache key lacked the schema version. Keys now start with v{n}.',
  },
  {
    id: 'utc',
    date: '2026-02-11T10:00',
    kind: 'decision',
    tags: ['time'],
    content: 'All timestamps are stored in UTC and shown in the timezone of the organisation.',
  },
  {
    id: 'webhook',
    date: '2026-03-03T14:00',
    kind: 'lesson',
    tags: ['payments', 'stripe'],
    files: ['src/billing/webhook.ts'],
    content:
      'Stripe may deliver invoice.paid before customer.created; the handler upserts and never trusts the order.',
  },
  {
    id: 'docker',
    date: '2026-03-09T09:00',
    kind: 'discovery',
    tags: ['docker', 'build'],
    files: ['Dockerfile'],
    content: 'Image went from 1.2 GB to 180 MB with a multi-stage build and pruned dependencies.',
  },
  {
    id: 'migrations',
    date: '2026-03-16T16:51',
    kind: 'pattern',
    tags: ['db', 'migration'],
    files: ['migrations/README.md'],
    content:
      'Migrations are expand, backfill, contract: never drop a column in the release that stops writing it.',
  },
  {
    id: 'ask-queue',
    date: '2026-03-20T10:00',
    kind: 'task',
    session: 's7',
    content: 'Open: which job queue should run invoice rendering?',
  },
  {
    id: 'answer-queue',
    date: '2026-03-20T10:05',
    kind: 'decision',
    session: 's7',
    content: 'We go with pg-boss, it needs no new server.',
  },
  {
    id: 'limits',
    date: '2026-04-01T11:00',
    kind: 'architecture',
    tags: ['api'],
    files: ['src/http/rate-limit.ts'],
    content:
      'Rate limiting is a token bucket per tenant in Redis, 100 requests a minute, answer 429 with Retry-After.',
  },
  {
    id: 'http2',
    date: '2026-04-02T11:00',
    kind: 'discovery',
    tags: ['http2'],
    content: 'HTTP/2 push was removed from the gateway; browsers ignore it.',
  },
  {
    id: 'estorno',
    date: '2026-04-07T09:30',
    kind: 'decision',
    tags: ['pagamentos'],
    files: ['src/billing/refund.ts'],
    content: 'O estorno parcial gera um lançamento novo; o original nunca é alterado.',
  },
  {
    id: 'conexoes',
    date: '2026-04-08T09:30',
    kind: 'lesson',
    tags: ['rede'],
    content:
      'As conexões com o banco caíam à noite porque o firewall fecha as que ficam paradas por 10 minutos.',
  },
  {
    id: 'senha',
    date: '2026-04-09T09:30',
    kind: 'warning',
    tags: ['segurança'],
    content: 'Nunca registrar a senha do usuário no log, nem quando a autenticação falha.',
  },
  {
    id: 'deploy',
    date: '2026-04-20T18:00',
    kind: 'handoff',
    tags: ['deploy'],
    content: 'Deploy of 2.4 is half done: workers run the new version, the web tier waits for the migration.',
  },
]

const NOW = '2026-04-21T09:00'

/** Through the public path: remembered, indexed and searched as a user would, at a fixed moment. */
const world = (async () => {
  const engine = composeEngine({
    root: mkdtempSync(path.join(tmpdir(), 'cairn-golden-')),
    clock: { ...systemClock, nowMs: () => Date.parse(`${NOW}Z`) },
  })
  const remembered = await remember(
    engine,
    MEMORIES.map(({ id: _id, ...memory }) => memory),
  )
  return { engine, nameById: new Map(remembered.map(({ entry }, at) => [entry.id, MEMORIES[at]?.id ?? ''])) }
})()

afterAll(async () => {
  const { engine } = await world
  await engine.close()
  rmSync(engine.paths.root, { recursive: true, force: true })
})

async function ask(query: string, limit = 3): Promise<string[]> {
  const { engine, nameById } = await world
  const { hits } = await search(engine, query, { filter: {}, limit })
  return hits.map(hit => nameById.get(hit.id) ?? '')
}

test.each([
  ['why did we choose postgres?', ['pg']],
  ['how often do we retry a failed request?', ['retry', 'limits']],
  ['max_retry_count', ['retry']],
  ['maxPoolSize', ['pool']],
  ['src/auth/token.ts', ['jwt']],
  ['what do I need to know about retry.ts', ['retry']],
  ['TimeoutError: waiting for network idle\n    at test/e2e/login.spec.ts:41:7', ['flaky']],
  ['how are database schema changes released?', ['migrations']],
  ['where do we keep the hash of a password', ['passwords']],
  ['http/2', ['http2']],
  ['stale cache after a deployment', ['cache', 'deploy']],
])('answers "%s"', async (query, expected) => {
  expect((await ask(query)).slice(0, expected.length)).toEqual(expected)
})

test('finds Portuguese entries with and without accents, in the plural and by verb', async () => {
  expect(await ask('conexões caindo', 1)).toEqual(['conexoes'])
  expect(await ask('conexao', 1)).toEqual(['conexoes'])
  expect(await ask('posso alterar lancamentos estornados?', 1)).toEqual(['estorno'])
})

test('finds entries of the other language through the aliases', async () => {
  expect(await ask('can I log the password?', 2)).toEqual(['senha', 'passwords'])
  expect(await ask('testes instáveis no login', 1)).toEqual(['flaky'])
})

test('forgives slips and completes words', async () => {
  expect(await ask('exponental bakcoff', 1)).toEqual(['retry'])
  expect(await ask('migrat', 1)).toEqual(['migrations'])
})

test('finds by date', async () => {
  expect(await ask('what happened yesterday?', 1)).toEqual(['deploy'])
  expect(await ask('16 March 2026', 1)).toEqual(['migrations'])
})

test('brings the answer up with the question before it in the session', async () => {
  expect(await ask('which queue renders invoices?', 2)).toEqual(['ask-queue', 'answer-queue'])
})

test('has nothing for a question about something else', async () => {
  expect(await ask('zxqv wombat')).toEqual([])
  expect(await ask('🙂')).toEqual([])
})
