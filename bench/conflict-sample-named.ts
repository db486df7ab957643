import type { LabelledPair } from './conflict-sample.ts'

/**
 * Pairs that speak of one named thing (a path, an identifier, a service), half of them against each other and half not: sharing the
 * name must not be taken for disagreeing. Labelled before anything was run on them. Misses of `named, dev` may be looked at; `named` is
 * looked at in sum only.
 */
type Half = Extract<LabelledPair['half'], 'named, dev' | 'named'>
const conflicting = (half: Half, a: string, b: string): LabelledPair => ({ half, a, b, conflict: true })
const compatible = (half: Half, a: string, b: string): LabelledPair => ({ half, a, b, conflict: false })

const DEV: readonly LabelledPair[] = [
  // A shared path, and nothing else.
  compatible(
    'named, dev',
    '`src/auth/session.ts` holds the session cookie name.',
    'Never edit `src/auth/session.ts` by hand; it is generated.',
  ),
  compatible(
    'named, dev',
    'Feature flags are read in `config/flags.yaml`.',
    'Do not sort `config/flags.yaml`: the order is the order of evaluation.',
  ),
  compatible(
    'named, dev',
    '`scripts/seed.sh` fills the database with demo customers.',
    '`scripts/seed.sh` must not be run against production.',
  ),
  compatible(
    'named, dev',
    'The retry policy is defined in `lib/http/client.rb`.',
    'Without a proxy `lib/http/client.rb` opens a socket per request.',
  ),
  compatible(
    'named, dev',
    '`internal/billing/invoice.go` renders invoices as PDF.',
    'No float may be used in `internal/billing/invoice.go`.',
  ),
  compatible(
    'named, dev',
    '`web/src/theme.css` defines the colours of the brand.',
    '`web/src/theme.css` is never imported by the mail templates.',
  ),
  compatible(
    'named, dev',
    'As rotas públicas ficam em `app/rotas/publicas.py`.',
    'Nunca importe `app/rotas/publicas.py` nos testes de carga.',
  ),
  // One identifier, another aspect.
  compatible(
    'named, dev',
    '`parseOrder` returns a list of lines.',
    '`parseOrder` does not check whether the customer exists.',
  ),
  compatible(
    'named, dev',
    'The `payments` service listens on port 7100.',
    'The `payments` service is allowed 3 replicas.',
  ),
  compatible(
    'named, dev',
    '`MAX_UPLOAD_MB` is 50.',
    '`MAX_UPLOAD_MB` is read once at start, a change needs a restart.',
  ),
  // Other environments, times, modules.
  compatible(
    'named, dev',
    'In staging `worker.toml` sets 2 threads.',
    'In production `worker.toml` sets 16 threads.',
  ),
  compatible(
    'named, dev',
    'During the sale in November the queue is drained every 5 minutes.',
    'In summer the queue is drained every 30 minutes.',
  ),
  compatible(
    'named, dev',
    'The catalog module validates with Zod.',
    'The checkout module validates with Valibot.',
  ),
  // Against each other, with a name in both.
  conflicting(
    'named, dev',
    '`src/auth/session.ts` is edited by hand.',
    'Never edit `src/auth/session.ts` by hand; it is generated.',
  ),
  conflicting(
    'named, dev',
    'The `payments` service listens on port 7100.',
    'The `payments` service listens on port 7200.',
  ),
  conflicting('named, dev', '`MAX_UPLOAD_MB` is 50.', '`MAX_UPLOAD_MB` is 200.'),
  conflicting(
    'named, dev',
    '`config/flags.yaml` is read once at start.',
    '`config/flags.yaml` is read on every request.',
  ),
  conflicting(
    'named, dev',
    '`scripts/seed.sh` may be run against staging.',
    'Do not run `scripts/seed.sh` against staging.',
  ),
  conflicting(
    'named, dev',
    '`lib/http/client.rb` retries three times.',
    '`lib/http/client.rb` never retries.',
  ),
  conflicting(
    'named, dev',
    'The team Atlas owns `internal/billing`.',
    '`internal/billing` is owned by the team Borealis.',
  ),
  conflicting(
    'named, dev',
    '`parseOrder` throws on an unknown currency.',
    '`parseOrder` never throws, it returns a result.',
  ),
  conflicting(
    'named, dev',
    'The images are built from node:20-alpine.',
    'The images are built from node:22-slim.',
  ),
  conflicting(
    'named, dev',
    'O arquivo `app/rotas/publicas.py` é gerado automaticamente.',
    'O arquivo `app/rotas/publicas.py` é escrito à mão.',
  ),
  conflicting(
    'named, dev',
    'Linting is done by ESLint with the config in `tools/lint`.',
    'Linting is done by Biome, `tools/lint` is left for history.',
  ),
  // Written while the rules were, of the kinds above.
  compatible('named, dev', 'In March 2024 the crawl took 9 hours.', 'In May 2026 the crawl took 3 hours.'),
  compatible(
    'named, dev',
    'On laptops the emulator listens on port 8085.',
    'In CI the emulator listens on port 18085.',
  ),
  compatible(
    'named, dev',
    'Before the launch traffic is served by one node.',
    'After the launch traffic is served by six nodes.',
  ),
  compatible(
    'named, dev',
    'At night the sync runs every 60 minutes.',
    'By day the sync runs every 5 minutes.',
  ),
  compatible(
    'named, dev',
    '`src/report/build.ts` writes the totals to a CSV file.',
    '`src/report/build.ts` reads the prices from a JSON file.',
  ),
  compatible(
    'named, dev',
    '`api/server.go` starts with a timeout of 10 seconds.',
    '`api/server.go` closes idle connections after 90 seconds.',
  ),
  compatible(
    'named, dev',
    '`infra/main.tf` creates the bucket in Frankfurt.',
    'Secrets are never written into `infra/main.tf`.',
  ),
  compatible(
    'named, dev',
    '`src/legacy/print.c` is only compiled on Windows.',
    'All of `src/legacy/print.c` is covered by tests.',
  ),
  compatible(
    'named, dev',
    '`tools/gen.py` must be run before the build.',
    '`tools/gen.py` prints the version after the build.',
  ),
  compatible(
    'named, dev',
    '`lib/parser.ts` is public API.',
    '`lib/parser.ts` keeps its private state in a closure.',
  ),
  compatible(
    'named, dev',
    '`src/api/users.ts` validates its input with Zod.',
    '`src/api/users.ts` has no tests yet.',
  ),
  compatible(
    'named, dev',
    '`app/models/user.rb` is 400 lines long.',
    '`app/models/user.rb` must stay under 500 lines.',
  ),
  compatible(
    'named, dev',
    '`Dockerfile` uses two stages.',
    '`Dockerfile` is not used for local development.',
  ),
  compatible('named, dev', '`src/index.css` is loaded first.', '`src/print.css` is loaded last.'),
  compatible('named, dev', '`renderInvoice` is called by the worker.', '`renderInvoice` is not exported.'),
  compatible('named, dev', '`ORDER_TTL` is given in seconds.', '`ORDER_TTL` may not be changed at run time.'),
  compatible(
    'named, dev',
    'The `events` topic has 12 partitions.',
    'The `events` topic keeps messages for 7 days.',
  ),
  compatible(
    'named, dev',
    'The admin page is rendered on the server.',
    'The admin page is hidden from search engines.',
  ),
  compatible('named, dev', 'Nightly backups go to S3.', 'Nightly backups are not encrypted by the database.'),
  compatible(
    'named, dev',
    'The mailer is tested with a fake clock.',
    'The mailer talks to a real SMTP server in staging.',
  ),
  compatible(
    'named, dev',
    'O arquivo `src/pix/chave.ts` valida a chave.',
    'O arquivo `src/pix/chave.ts` não pode depender do banco.',
  ),
  compatible('named, dev', '`src/pay/refund.ts` calls Stripe.', '`src/pay/charge.ts` never calls Stripe.'),
  compatible(
    'named, dev',
    'The parser module has no dependencies.',
    'The printer module depends on the parser module.',
  ),
  conflicting(
    'named, dev',
    '`api/server.go` starts with a timeout of 10 seconds.',
    '`api/server.go` uses a timeout of 45 seconds.',
  ),
  conflicting(
    'named, dev',
    '`lib/parser.ts` is public API.',
    '`lib/parser.ts` is private, import nothing from it.',
  ),
  conflicting('named, dev', '`ORDER_TTL` is given in seconds.', '`ORDER_TTL` is given in milliseconds.'),
  conflicting('named, dev', 'The `events` topic has 12 partitions.', 'The `events` topic has 48 partitions.'),
  conflicting(
    'named, dev',
    '`renderInvoice` is called by the worker.',
    'The worker does not call `renderInvoice` any more.',
  ),
  conflicting('named, dev', 'Dana owns the release checklist.', 'The release checklist is owned by Priya.'),
  conflicting(
    'named, dev',
    '`tools/gen.py` must be run before the build.',
    '`tools/gen.py` is run after the build.',
  ),
  conflicting('named, dev', 'Snapshots are encrypted.', 'Snapshots are stored in plain text.'),
  conflicting('named, dev', '`src/api/users.ts` has no tests.', '`src/api/users.ts` is covered by tests.'),
  conflicting(
    'named, dev',
    '`infra/main.tf` creates the bucket in Frankfurt.',
    '`infra/main.tf` creates the bucket in Dublin.',
  ),
  conflicting('named, dev', 'Terraform 1.5 is required.', 'Terraform 1.9 is required.'),
  conflicting('named, dev', 'The dashboard is served on port 4000.', 'The dashboard moved to port 4100.'),
  conflicting(
    'named, dev',
    'Never log the request body in `src/log.ts`.',
    '`src/log.ts` logs the request body.',
  ),
  conflicting(
    'named, dev',
    '`src/legacy/print.c` may be deleted.',
    'Do not delete `src/legacy/print.c`, a customer needs it.',
  ),
]

const UNSEEN: readonly LabelledPair[] = [
  // A shared path, and nothing else.
  compatible(
    'named',
    '`deploy/helm/values.yaml` lists the memory limits of every pod.',
    'Never put a password into `deploy/helm/values.yaml`.',
  ),
  compatible(
    'named',
    '`src/db/migrations` is ordered by timestamp.',
    'A migration in `src/db/migrations` is never edited after it was merged.',
  ),
  compatible(
    'named',
    '`pkg/cache/lru.go` keeps the last 10000 sessions.',
    'Do not call `pkg/cache/lru.go` from the request path without the lock.',
  ),
  compatible(
    'named',
    'The constants of the tax tables are in `core/tax/rates.json`.',
    '`core/tax/rates.json` cannot be loaded before the locale is set.',
  ),
  compatible(
    'named',
    '`Makefile` has a target for the protobuf stubs.',
    'No new target goes into the `Makefile`.',
  ),
  compatible(
    'named',
    '`docs/openapi.yaml` describes the partner API.',
    '`docs/openapi.yaml` is not published to the website.',
  ),
  compatible(
    'named',
    '`src/ui/Table.tsx` virtualizes its rows.',
    'Avoid inline styles in `src/ui/Table.tsx`.',
  ),
  compatible(
    'named',
    'O cálculo do frete está em `frete/calculo.ts`.',
    'Não use ponto flutuante em `frete/calculo.ts`.',
  ),
  compatible(
    'named',
    '`.github/workflows/release.yml` signs the packages.',
    '`.github/workflows/release.yml` is disabled on forks.',
  ),
  compatible(
    'named',
    '`src/mail/send.ts` writes every mail to the outbox first.',
    'Tests never send a real message through `src/mail/send.ts`.',
  ),
  // One identifier, another aspect.
  compatible(
    'named',
    '`useCart` stores the basket in localStorage.',
    '`useCart` must not be called in server components.',
  ),
  compatible('named', 'The `search` index has 4 shards.', 'The `search` index is rebuilt within 40 minutes.'),
  compatible(
    'named',
    '`JobRunner` takes 5 seconds to shut down.',
    '`JobRunner` polls the table once every 2 seconds.',
  ),
  compatible(
    'named',
    'The `orders` table has a unique key on the external number.',
    'Rows of the `orders` table are never deleted.',
  ),
  compatible('named', '`--force` skips the confirmation.', '`--force` does not overwrite a locked file.'),
  compatible(
    'named',
    'The gateway is written in Rust.',
    'The client of the gateway is generated for Python.',
  ),
  // Complementary facts.
  compatible('named', 'Passwords are hashed with Argon2.', 'Passwords are never written to a log.'),
  compatible('named', 'Releases are tagged on main.', 'Releases need two approvals.'),
  // Other environments, times, modules.
  compatible(
    'named',
    'On a developer machine the API answers on port 3000.',
    'In the cluster the API answers on port 80.',
  ),
  compatible(
    'named',
    'In 2023 the nightly import took 6 hours.',
    'In 2025 the nightly import took 40 minutes.',
  ),
  compatible(
    'named',
    'The billing service logs to stdout in JSON.',
    'The mail service logs to a file in plain text.',
  ),
  compatible('named', 'The iPad app caches maps for 30 days.', 'The dashboard caches maps for an hour.'),
  // Against each other, with a name in both.
  conflicting(
    'named',
    '`deploy/helm/values.yaml` is written by the release job.',
    '`deploy/helm/values.yaml` is maintained by hand.',
  ),
  conflicting(
    'named',
    '`pkg/cache/lru.go` keeps the last 10000 sessions.',
    '`pkg/cache/lru.go` keeps the last 2500 sessions.',
  ),
  conflicting(
    'named',
    'Import `src/ui/Table.tsx` directly.',
    'Never import `src/ui/Table.tsx` directly, go through the barrel.',
  ),
  conflicting(
    'named',
    '`docs/openapi.yaml` is published to the website.',
    '`docs/openapi.yaml` is not published to the website.',
  ),
  conflicting(
    'named',
    '`useCart` stores the basket in localStorage.',
    '`useCart` keeps the basket on the server.',
  ),
  conflicting('named', 'The `search` index has 4 shards.', 'The `search` index was split into 12 shards.'),
  conflicting(
    'named',
    '`JobRunner` polls the table once every 2 seconds.',
    '`JobRunner` polls the table every 15 seconds.',
  ),
  conflicting('named', 'The admin panel listens on 9443.', 'The admin panel listens on 8443.'),
  conflicting('named', 'The project needs Python 3.9.', 'The project needs Python 3.12.'),
  conflicting(
    'named',
    'Rows of the `orders` table may be deleted after a year.',
    'Rows of the `orders` table are never deleted.',
  ),
  conflicting(
    'named',
    'The on-call rota of the gateway belongs to the platform group.',
    'The on-call rota of the gateway belongs to the payments group.',
  ),
  conflicting('named', 'Snapshots are taken with Restic.', 'Snapshots are taken with Borg.'),
  conflicting('named', 'Telemetry is on by default.', 'Telemetry is off unless the user turns it on.'),
  conflicting(
    'named',
    'O cálculo do frete usa a tabela de 2022.',
    'O cálculo do frete passou a usar a tabela de 2025.',
  ),
  conflicting(
    'named',
    'O `worker` de e-mails roda com 4 processos.',
    'O `worker` de e-mails roda com 8 processos.',
  ),
  conflicting('named', 'Branches are named after the ticket.', 'Branch names must not contain the ticket.'),
  conflicting(
    'named',
    'Timestamps in the API are in UTC.',
    'Timestamps in the API are in the time zone of the shop.',
  ),
  conflicting(
    'named',
    'The first request after a deploy warms the cache.',
    'The cache is warmed before a deploy takes traffic.',
  ),
]

export const NAMED_SAMPLE: readonly LabelledPair[] = [...DEV, ...UNSEEN]
