/** Projects as they live: sessions, runs and entries, and what the bundle should say at the end. */
export interface ScriptedProject {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly steps: readonly ScriptedStep[]
  readonly expected: Readonly<
    Record<'currentFocus' | 'gotchas' | 'nextSteps' | 'validationCommands', Expected>
  >
}

/** Each is a list of words that one statement must have all of. */
export interface Expected {
  readonly must: readonly string[]
  /** True, and not missed where it is left out. */
  readonly may?: readonly string[]
  /** Finished, resolved, superseded, guessed or never said: wrong in the bundle. */
  readonly wrong: readonly string[]
}

export type ScriptedStep =
  | {
      readonly session: string
      /** Days after the beginning. */
      readonly day: number
      readonly said: readonly (readonly ['user' | 'agent', string])[]
      readonly runs?: readonly ScriptedRun[]
    }
  | { readonly remember: string; readonly kind?: string; readonly day: number }
  | { readonly task: string; readonly day: number }
  | { readonly ticked: string; readonly day: number }
  | { readonly forgotten: string; readonly day: number }

export interface ScriptedRun {
  readonly command?: string
  readonly ok?: boolean
  readonly output?: string
  /** Files that were changed. */
  readonly edits?: readonly string[]
}

const shop: ScriptedProject = {
  name: 'an invoice service',
  files: {
    'package.json': JSON.stringify({
      name: 'invoices',
      scripts: { test: 'vitest run', lint: 'biome check .', build: 'tsc' },
    }),
    'src/main.ts': '',
    'src/export/csv.ts': '',
    'README.md': '# Invoices\n\nSends and stores invoices for small shops.\n',
  },
  steps: [
    {
      remember: 'The PDF renderer needs the font files in assets/fonts, otherwise it silently draws boxes.',
      kind: 'warning',
      day: 0,
    },
    { task: 'Rotate the signing keys of the webhook', day: 0 },
    { task: 'Document the retry policy', day: 0 },
    {
      session: 'i1',
      day: 1,
      said: [
        ['user', 'Please add a CSV export to the invoices page.'],
        [
          'agent',
          'I looked at the code. The export buffers all rows in memory, which breaks above 50,000 invoices.',
        ],
        [
          'user',
          'We go with streaming the export row by row instead of buffering, because the big shops have 200,000 invoices.',
        ],
        [
          'agent',
          'Implemented the streaming export in src/export/csv.ts. We still need to add paging to the invoice list. The amounts column is still missing a currency.',
        ],
      ],
      runs: [
        { edits: ['src/export/csv.ts'] },
        {
          command: 'npm test',
          ok: false,
          output: 'FAIL src/export/csv.test.ts\nTypeError: row.total is not a function',
        },
        { command: 'npm test', ok: true, output: 'all green' },
        { command: 'npm run lint', ok: true },
      ],
    },
    {
      session: 'i2',
      day: 3,
      said: [
        ['user', 'Why do webhooks arrive twice at the customers?'],
        [
          'agent',
          'Root cause: the queue redelivers a message when the worker needs more than 30 seconds, so the webhook is sent twice.',
        ],
        ['user', 'From now on every webhook carries an idempotency key.'],
        [
          'agent',
          'Added the idempotency key to the sender. The signing keys of the webhook are not rotated yet. The currency of the amounts column is in place now.',
        ],
      ],
      runs: [
        { edits: ['src/webhook/send.ts'] },
        { command: 'npm test', ok: true },
        { command: 'ls -la', ok: true },
      ],
    },
    {
      session: 'i3',
      day: 5,
      said: [
        ['user', 'Let us finish the paging of the invoice list.'],
        ['agent', 'Paging of the invoice list is done: 50 rows a page. All tests pass.'],
        ['user', 'Good. Still to do: the search box must keep the page when somebody goes back.'],
        ['agent', 'Noted. Maybe we could also cache the totals some day.'],
      ],
      runs: [
        { edits: ['src/list/paging.ts', 'src/list/list.ts'] },
        { command: 'npm test', ok: true },
        {
          command: 'npm run build',
          ok: false,
          output: 'error TS2345: Argument of type string is not assignable to parameter of type number',
        },
      ],
    },
    { ticked: 'Document the retry policy', day: 6 },
    {
      session: 'i4',
      day: 7,
      said: [
        ['user', 'Rotate the signing keys of the webhook now, customers were told.'],
        [
          'agent',
          'The signing keys of the webhook are rotated and the old ones revoked. Watch out: the sandbox still uses a key of its own, it is not rotated by the script.',
        ],
      ],
      runs: [
        { command: 'npm run build', ok: true },
        { command: 'npm test', ok: true },
      ],
    },
  ],
  expected: {
    currentFocus: {
      must: ['signing keys webhook', 'paging invoice list'],
      may: ['webhooks twice', 'csv export', 'idempotency', 'streaming', 'search box'],
      wrong: ['cache totals'],
    },
    gotchas: {
      must: ['font assets', 'redeliver 30', 'sandbox key'],
      may: ['buffers rows memory', 'idempotency key', 'row.total'],
      wrong: ['ts2345', 'signing keys not rotated yet', 'cache totals'],
    },
    nextSteps: {
      must: ['search box page'],
      wrong: [
        'paging invoice list',
        'currency',
        'document retry',
        'rotate signing',
        'cache totals',
        'not rotated yet',
      ],
    },
    validationCommands: { must: ['npm test', 'npm run lint', 'npm run build'], wrong: ['ls'] },
  },
}

const loja: ScriptedProject = {
  name: 'uma API de estoque, in part in Portuguese',
  files: {
    'pyproject.toml': '[project]\nname = "estoque"\ndescription = "API de estoque"\n',
    Makefile: 'test:\n\tpytest\nlint:\n\truff check .\n',
    'src/estoque/app.py': '',
    'src/estoque/pedidos.py': '',
  },
  steps: [
    {
      remember: 'O banco de homologação é apagado todo domingo; não guarde nada importante lá.',
      kind: 'warning',
      day: 0,
    },
    { task: 'Migrar as faturas para o novo esquema', day: 0 },
    {
      session: 'e1',
      day: 1,
      said: [
        ['user', 'A listagem de pedidos está lenta, descobre o motivo por favor.'],
        [
          'agent',
          'O problema é que a consulta de pedidos faz uma busca por linha: falta um índice em cliente_id.',
        ],
        [
          'user',
          'Vamos usar paginação por cursor na API de pedidos, porque offset fica lento com muitos clientes.',
        ],
        [
          'agent',
          'Criei o índice. Ainda falta cobrir o caso de reembolso nos testes. A migração das faturas ainda não está pronta.',
        ],
      ],
      runs: [
        { edits: ['src/estoque/pedidos.py'] },
        { command: 'pytest', ok: true },
        { command: 'make lint', ok: false, output: 'ruff: E501 line too long' },
      ],
    },
    {
      session: 'e2',
      day: 2,
      said: [
        ['user', 'The nightly sync fails, can you look at it?'],
        [
          'agent',
          'The nightly sync fails because the supplier sends dates in local time; comparing them with UTC drops the last hour.',
        ],
        ['user', 'We decided to store all supplier dates in UTC.'],
        ['agent', 'The sync is fixed. Still missing: an alert when the supplier sends nothing for a day.'],
      ],
      runs: [
        { edits: ['src/estoque/sync.py'] },
        { command: 'pytest', ok: true },
        { command: 'make lint', ok: true },
      ],
    },
    {
      session: 'e3',
      day: 4,
      said: [
        ['user', 'Termina o caso de reembolso e a migração das faturas.'],
        [
          'agent',
          'O caso de reembolso está coberto nos testes. As faturas foram migradas para o novo esquema.',
        ],
        [
          'user',
          'Ótimo. Cuidado: o fornecedor antigo ainda envia arquivos em latin-1, a leitura quebra com UTF-8.',
        ],
        ['agent', 'Anotado. Ficou pendente atualizar a documentação da API de pedidos.'],
      ],
      runs: [
        { edits: ['src/estoque/faturas.py', 'tests/test_reembolso.py'] },
        { command: 'pytest', ok: true },
      ],
    },
  ],
  expected: {
    currentFocus: {
      must: ['reembolso faturas'],
      may: ['sync', 'pedidos lenta', 'utc', 'cursor', 'listagem'],
      wrong: [],
    },
    gotchas: {
      must: ['homologacao domingo', 'latin-1'],
      may: ['supplier local time', 'indice cliente_id', 'utc', 'offset'],
      wrong: ['e501', 'migracao faturas nao pronta'],
    },
    nextSteps: {
      must: ['alert supplier', 'documentacao api pedidos'],
      wrong: ['reembolso', 'faturas', 'sync fails', 'indice'],
    },
    validationCommands: { must: ['pytest', 'make lint'], may: ['make test'], wrong: [] },
  },
}

const pushes: ScriptedProject = {
  name: 'a push service in Go',
  files: {
    'go.mod': 'module example.com/pushd\n',
    'cmd/pushd/main.go': '',
    'internal/queue/queue.go': '',
    Makefile: 'test:\n\tgo test ./...\nvet:\n\tgo vet ./...\n',
  },
  steps: [
    {
      remember:
        'Apple rejects pushes whose payload is above 4 KB without an error; check the size before sending.',
      kind: 'warning',
      day: 0,
    },
    { remember: 'Device tokens are stored in Redis.', kind: 'decision', day: 0 },
    { task: 'Raise the file descriptor limit on the workers', day: 0 },
    { task: 'Remove the legacy GCM sender', day: 1 },
    {
      session: 'p1',
      day: 2,
      said: [
        ['user', 'Pushes to Android arrive hours late since Monday. Find out why.'],
        [
          'agent',
          'The cause is the backoff: after a 503 the sender sleeps up to six hours and never resets the delay.',
        ],
        ['user', 'Cap the backoff at five minutes. We never sleep longer than that.'],
        [
          'agent',
          'Capped it at five minutes in internal/queue/backoff.go. I have not removed the legacy GCM sender. Still open: the dashboard does not show the delay of the queue.',
        ],
      ],
      runs: [
        { edits: ['internal/queue/backoff.go'] },
        {
          command: 'go test ./...',
          ok: false,
          output: '--- FAIL: TestBackoff (0.00s)\n    backoff_test.go:31: got 6h0m0s, want 5m0s',
        },
        { command: 'go test ./...', ok: true, output: 'ok' },
      ],
    },
    {
      session: 'p2',
      day: 4,
      said: [
        ['user', 'Move the device tokens out of Redis, the restarts lose them.'],
        [
          'agent',
          'Redis evicts device tokens under memory pressure because maxmemory-policy is allkeys-lru.',
        ],
        ['user', 'Device tokens are no longer stored in Redis, we store them in PostgreSQL from now on.'],
        [
          'agent',
          'The tokens live in PostgreSQL now. The backfill of old tokens is almost finished, 80% are copied.',
        ],
      ],
      runs: [
        { edits: ['internal/tokens/store.go', 'internal/tokens/backfill.go'] },
        { command: 'go vet ./...', ok: true },
        { command: 'go test ./...', ok: true },
      ],
    },
    {
      session: 'p3',
      day: 6,
      said: [
        ['user', 'Please remove the legacy GCM sender and show the delay of the queue on the dashboard.'],
        [
          'agent',
          'Removed the legacy GCM sender. The dashboard shows the delay of the queue now, that part is done.',
        ],
        ['user', 'Great. Next week: load test the token store with a million devices.'],
        [
          'agent',
          'Noted. Be careful, the staging database has only two connections, a load test there starves the API.',
        ],
      ],
      runs: [
        { edits: ['internal/gcm/sender.go', 'web/dashboard.ts'] },
        { command: 'go test ./...', ok: true },
        { command: 'git status', ok: true },
      ],
    },
  ],
  expected: {
    currentFocus: {
      must: ['gcm dashboard', 'tokens'],
      may: ['android late', 'five minutes', 'postgresql', 'load test'],
      wrong: ['stored redis.'],
    },
    gotchas: {
      must: ['4 kb', 'staging two connections', 'backoff 503'],
      may: ['redis evicts', 'five minutes', 'six hours'],
      wrong: ['got 6h0m0s', 'testbackoff'],
    },
    nextSteps: {
      must: ['file descriptor', 'load test'],
      may: ['backfill'],
      wrong: ['gcm', 'dashboard'],
    },
    validationCommands: { must: ['go test', 'go vet'], may: ['make test'], wrong: ['git status'] },
  },
}

export const TUNED_PROJECTS: readonly ScriptedProject[] = [shop, loja, pushes]
