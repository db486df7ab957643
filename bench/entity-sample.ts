/**
 * Entries as people and agents write them, with the entities and relations that a careful reader finds in them. All were
 * written and labelled for this bench before the extractor was run on any. The rules were tuned on the `dev` half only.
 *
 * How it was labelled:
 *   file      a path, file name, folder path with a slash, or glob of the project
 *   package   a library or a development tool that comes from a registry, wherever it is named
 *   command   what is typed into a shell: program and subcommand, without arguments
 *   person    a named human; not a team, not a bot, not a role alone
 *   service   a product that runs somewhere and is talked to, or a host; languages and protocols are neither
 *   relation  only what the text states between two entities of the entry
 */
export interface LabelledEntry {
  readonly half: 'dev' | 'held-out'
  readonly text: string
  /** `type:key` */
  readonly entities: readonly string[]
  /** `type:key relation type:key` */
  readonly relations: readonly string[]
}

const DEV: readonly Omit<LabelledEntry, 'half'>[] = [
  {
    text: 'Sessions moved from Memcached to Redis because we need persistence across restarts. Configured in config/session.yml.',
    entities: ['service:memcached', 'service:redis', 'file:config/session.yml'],
    relations: [
      'service:redis replaces service:memcached',
      'service:redis configured_in file:config/session.yml',
    ],
  },
  {
    text: 'Ana decided that all background jobs go through BullMQ; src/jobs/queue.ts is the only file that may import it.',
    entities: ['person:ana', 'package:bullmq', 'file:src/jobs/queue.ts'],
    relations: ['package:bullmq decided_by person:ana'],
  },
  {
    text: '`npm run build` fails with Node 22 unless esbuild is at least 0.21. Fixed by upgrading `esbuild@0.21.5`.',
    entities: ['command:npm run build', 'package:esbuild'],
    relations: ['command:npm run build fixed_by package:esbuild'],
  },
  {
    text: 'Never modify src/auth/middleware.ts directly; extend it through hooks in `src/auth/hooks/`.',
    entities: ['file:src/auth/middleware.ts', 'file:src/auth/hooks/'],
    relations: [],
  },
  {
    text: 'The payments service talks to Stripe through webhooks. STRIPE_WEBHOOK_SECRET lives in Vault, never in .env files.',
    entities: ['service:stripe', 'service:vault', 'file:.env'],
    relations: [],
  },
  {
    text: 'According to Rui Costa the staging database at db-staging.acme.internal is rebuilt every Sunday from a PostgreSQL dump in S3.',
    entities: ['person:rui costa', 'service:db-staging.acme.internal', 'service:postgresql', 'service:s3'],
    relations: [],
  },
  {
    text: 'Run the migrations before the tests:\n\n```sh\n$ pnpm prisma migrate deploy\n$ pnpm test\n```\n\nOtherwise vitest hangs on the first query.',
    entities: ['command:pnpm prisma migrate', 'command:pnpm test', 'package:vitest', 'package:prisma'],
    relations: [],
  },
  {
    text: 'We replaced moment with date-fns in the whole frontend. Bundle went from 480 KB to 310 KB.',
    entities: ['package:moment', 'package:date-fns'],
    relations: ['package:date-fns replaces package:moment'],
  },
  {
    text: 'Decision: PostgreSQL over MongoDB for orders. @mferreira will own the schema in db/schema.sql.',
    entities: ['service:postgresql', 'service:mongodb', 'person:mferreira', 'file:db/schema.sql'],
    relations: [
      'service:postgresql replaces service:mongodb',
      'file:db/schema.sql owned_by person:mferreira',
    ],
  },
  {
    text: 'As filas de e-mail usam RabbitMQ; a configuração fica em infra/rabbitmq.conf. O João decidiu não usar Kafka porque o volume é baixo.',
    entities: ['service:rabbitmq', 'file:infra/rabbitmq.conf', 'person:joao', 'service:kafka'],
    relations: ['service:rabbitmq configured_in file:infra/rabbitmq.conf'],
  },
  {
    text: 'import { z } from "zod" is allowed only at the edges (routes and CLI). Inside the domain we take parsed types.',
    entities: ['package:zod'],
    relations: [],
  },
  {
    text: 'pip install "uvicorn[standard]" pulled in uvloop, which breaks on Windows runners. We pin plain uvicorn==0.29.0 in requirements.txt.',
    entities: ['command:pip install', 'package:uvicorn', 'package:uvloop', 'file:requirements.txt'],
    relations: ['package:uvicorn configured_in file:requirements.txt'],
  },
  {
    text: 'The flaky test in tests/test_checkout.py::test_retry is caused by a real sleep. Use freezegun.',
    entities: ['file:tests/test_checkout.py', 'package:freezegun'],
    relations: [],
  },
  {
    text: 'CI runs on GitHub Actions, .github/workflows/ci.yml. The matrix has Node 20 and 22; `npm ci` is cached by the lockfile hash.',
    entities: ['service:github actions', 'file:.github/workflows/ci.yml', 'command:npm ci'],
    relations: ['service:github actions configured_in file:.github/workflows/ci.yml'],
  },
  {
    text: "Error: Cannot find module 'sharp' on the Alpine image. sharp depends on libvips; `apk add vips-dev` in the Dockerfile fixes it.",
    entities: ['package:sharp', 'command:apk add', 'file:Dockerfile', 'package:libvips'],
    relations: ['package:sharp depends_on package:libvips', 'package:sharp fixed_by command:apk add'],
  },
  {
    text: 'Prefer small commits. Write messages in the imperative. Do not squash when a review is open.',
    entities: [],
    relations: [],
  },
  {
    text: 'O deploy de produção é feito só às terças. Quem aprova é a Mariana Lopes (tech lead). Comando: `make deploy ENV=prod`.',
    entities: ['person:mariana lopes', 'command:make deploy'],
    relations: [],
  },
  {
    text: 'The search endpoint uses Elasticsearch 8 behind https://search.acme.io; locally it is replaced by OpenSearch in docker-compose.yml.',
    entities: [
      'service:elasticsearch',
      'service:search.acme.io',
      'service:opensearch',
      'file:docker-compose.yml',
    ],
    relations: ['service:opensearch configured_in file:docker-compose.yml'],
  },
  {
    text: 'crates/parser/src/lexer.rs allocates a String per token; switching to `&str` with a lifetime made `cargo bench` 3x faster.',
    entities: ['file:crates/parser/src/lexer.rs', 'command:cargo bench'],
    relations: [],
  },
  {
    text: 'Grafana dashboards are generated: edit monitoring/dashboards/*.jsonnet, then run `make dashboards`. Hand edits in Grafana are overwritten by the nightly sync.',
    entities: ['service:grafana', 'file:monitoring/dashboards/*.jsonnet', 'command:make dashboards'],
    relations: [],
  },
  {
    text: 'use std::collections::BTreeMap instead of HashMap in the snapshot code, so the JSON is stable. serde_json = { features = ["preserve_order"] } did not help.',
    entities: ['package:serde_json'],
    relations: [],
  },
  {
    text: 'Handoff: the refund flow is half done. What is left: apps/api/src/refunds/refund.service.ts, the Stripe mock, and a test for partial refunds. Ask Priya about rounding.',
    entities: ['file:apps/api/src/refunds/refund.service.ts', 'service:stripe', 'person:priya'],
    relations: [],
  },
  {
    text: 'go get github.com/jackc/pgx/v5 replaces lib/pq: pgx supports COPY and LISTEN. See internal/db/pool.go.',
    entities: [
      'command:go get',
      'package:github.com/jackc/pgx/v5',
      'package:lib/pq',
      'package:pgx',
      'file:internal/db/pool.go',
    ],
    relations: ['package:github.com/jackc/pgx/v5 replaces package:lib/pq'],
  },
  {
    text: 'The nightly export to BigQuery fails with 403 when the service account key is older than 90 days. Terraform rotates it now (infra/gcp/keys.tf).',
    entities: ['service:bigquery', 'package:terraform', 'file:infra/gcp/keys.tf'],
    relations: [],
  },
  {
    text: 'Migramos do Heroku para o Fly.io em março. O arquivo fly.toml define as regiões; `fly deploy` roda no fim do pipeline.',
    entities: ['service:heroku', 'service:fly.io', 'file:fly.toml', 'command:fly deploy'],
    relations: ['service:fly.io replaces service:heroku'],
  },
  {
    text: 'Linting: we use @biomejs/biome, not eslint. Rules in biome.json. `npx biome check --write .` before a commit.',
    entities: ['package:@biomejs/biome', 'package:eslint', 'file:biome.json', 'command:npx biome check'],
    relations: [
      'package:@biomejs/biome replaces package:eslint',
      'package:@biomejs/biome configured_in file:biome.json',
    ],
  },
  {
    text: 'Tom and Beatriz agreed: feature flags come from LaunchDarkly, read once at start-up, never in a hot path.',
    entities: ['person:tom', 'person:beatriz', 'service:launchdarkly'],
    relations: [],
  },
  {
    text: 'Datadog agent needs DD_API_KEY and DD_SITE=datadoghq.eu. Without the second one the logs go to the US and are dropped silently.',
    entities: ['service:datadog', 'service:datadoghq.eu'],
    relations: [],
  },
  {
    text: 'kubectl rollout restart deployment/api does not pick up a changed ConfigMap in k8s/base/config.yaml; bump the annotation hash (kustomize does it).',
    entities: ['command:kubectl rollout', 'file:k8s/base/config.yaml', 'package:kustomize'],
    relations: [],
  },
  {
    text: 'The mobile app crashes when the token expires during background sync. Root cause in lib/features/sync/sync_worker.dart: the Dio interceptor retries forever.',
    entities: ['file:lib/features/sync/sync_worker.dart', 'package:dio'],
    relations: [],
  },
  {
    text: 'We use Next.js 14 with the app router. next.config.mjs must keep output: "standalone", because the Docker image copies only .next/standalone.',
    entities: ['package:next', 'file:next.config.mjs', 'service:docker', 'file:.next/standalone'],
    relations: [],
  },
  {
    text: 'Os testes de integração dependem do Testcontainers e precisam do Docker rodando. No CI usamos `./gradlew integrationTest --no-daemon`.',
    entities: ['package:testcontainers', 'service:docker', 'command:./gradlew integrationtest'],
    relations: [],
  },
  {
    text: 'React Query caches by key; a missing tenant id in the key leaked data between customers (incident of 12 May). See packages/web/src/query/keys.ts.',
    entities: ['package:react-query', 'file:packages/web/src/query/keys.ts'],
    relations: [],
  },
  {
    text: 'Review by @lin-chen: the retry loop in worker/consumer.py must stop on SIGTERM. celery==5.3 has a bug there; 5.4 is fine.',
    entities: ['person:lin-chen', 'file:worker/consumer.py', 'package:celery'],
    relations: [],
  },
]

const HELD_OUT: readonly Omit<LabelledEntry, 'half'>[] = [
  {
    text: 'Invoices are rendered by WeasyPrint from templates/invoice.html. wkhtmltopdf was dropped because it is unmaintained.',
    entities: ['package:weasyprint', 'file:templates/invoice.html', 'package:wkhtmltopdf'],
    relations: ['package:weasyprint replaces package:wkhtmltopdf'],
  },
  {
    text: 'Lesson: never call `terraform apply` from a laptop. State is in S3 with a DynamoDB lock, and Marcus had to repair it by hand twice.',
    entities: ['command:terraform apply', 'service:s3', 'service:dynamodb', 'person:marcus'],
    relations: [],
  },
  {
    text: 'Switched from Jest to Vitest. vitest.config.ts has `pool: threads`; the old jest.config.js is gone.',
    entities: ['package:jest', 'package:vitest', 'file:vitest.config.ts', 'file:jest.config.js'],
    relations: ['package:vitest replaces package:jest', 'package:vitest configured_in file:vitest.config.ts'],
  },
  {
    text: 'A Camila decidiu usar o Keycloak para o login único; o realm está em infra/keycloak/realm.json.',
    entities: ['person:camila', 'service:keycloak', 'file:infra/keycloak/realm.json'],
    relations: [
      'service:keycloak decided_by person:camila',
      'service:keycloak configured_in file:infra/keycloak/realm.json',
    ],
  },
  {
    text: 'The image resizer is owned by Dana Whitfield. It runs on Cloudflare Workers, so no Node APIs: `wrangler dev` shows the difference at once.',
    entities: ['person:dana whitfield', 'service:cloudflare', 'command:wrangler dev'],
    relations: [],
  },
  {
    text: 'src/server/routes/upload.ts streams to S3 with @aws-sdk/lib-storage. Do not buffer: the pod has 256 MB.',
    entities: ['file:src/server/routes/upload.ts', 'service:s3', 'package:@aws-sdk/lib-storage'],
    relations: ['file:src/server/routes/upload.ts uses package:@aws-sdk/lib-storage'],
  },
  {
    text: 'Preference: answer in British English, short sentences, no emojis in commit messages.',
    entities: [],
    relations: [],
  },
  {
    text: 'Kafka consumer lag alerts go to PagerDuty, everything else to the #ops channel in Slack.',
    entities: ['service:kafka', 'service:pagerduty', 'service:slack'],
    relations: [],
  },
  {
    text: '`docker compose up` needs the file .env.local; copy it from .env.example. Port 5432 clashes with a local PostgreSQL.',
    entities: ['command:docker compose up', 'file:.env.local', 'file:.env.example', 'service:postgresql'],
    relations: [],
  },
  {
    text: 'poetry add httpx replaced requests in the sync client; respx mocks it in tests/conftest.py.',
    entities: [
      'command:poetry add',
      'package:httpx',
      'package:requests',
      'package:respx',
      'file:tests/conftest.py',
    ],
    relations: ['package:httpx replaces package:requests'],
  },
  {
    text: 'The ORM is SQLAlchemy 2.0 with Alembic. Migrations: `alembic upgrade head`. Autogenerate misses enum changes, write them by hand in migrations/versions/.',
    entities: [
      'package:sqlalchemy',
      'package:alembic',
      'command:alembic upgrade',
      'file:migrations/versions/',
    ],
    relations: [],
  },
  {
    text: 'Per Helena: the NF-e (invoice) numbers must never have gaps. The sequence is in billing.invoice_sequence, guarded by an advisory lock in PostgreSQL.',
    entities: ['person:helena', 'service:postgresql'],
    relations: [],
  },
  {
    text: 'tokio::spawn inside the actix handler loses the tracing span. Use tracing::Instrument. Cargo.toml: tracing = "0.1".',
    entities: ['package:tokio', 'package:actix', 'package:tracing', 'file:Cargo.toml'],
    relations: ['package:tracing configured_in file:Cargo.toml'],
  },
  {
    text: 'Warning: api.partner-bank.com rate-limits at 5 requests per second and answers 200 with an error body. Handled in src/integrations/bank/client.go.',
    entities: ['service:api.partner-bank.com', 'file:src/integrations/bank/client.go'],
    relations: [],
  },
  {
    text: 'The monorepo uses Turborepo; turbo.json lists the pipelines. `turbo run lint` is slow the first time only.',
    entities: ['package:turborepo', 'file:turbo.json', 'command:turbo run lint'],
    relations: ['package:turborepo configured_in file:turbo.json'],
  },
  {
    text: 'Trocamos o axios pelo ky no front-end porque o bundle ficou menor. Os interceptors agora estão em src/http/hooks.ts.',
    entities: ['package:axios', 'package:ky', 'file:src/http/hooks.ts'],
    relations: ['package:ky replaces package:axios'],
  },
  {
    text: 'SENTRY_DSN must be set at build time or source maps are not uploaded. The step is in .gitlab-ci.yml, job "release".',
    entities: ['service:sentry', 'file:.gitlab-ci.yml'],
    relations: [],
  },
  {
    text: 'Yusuf wrote the parser in tools/logparse/main.go; ask him before changing the grammar.',
    entities: ['person:yusuf', 'file:tools/logparse/main.go'],
    relations: ['file:tools/logparse/main.go owned_by person:yusuf'],
  },
  {
    text: 'Build on Windows: run `.\\build.ps1 -Configuration Release`. The path src\\Core\\Core.csproj must not have spaces.',
    entities: ['command:./build.ps1', 'file:src/Core/Core.csproj'],
    relations: [],
  },
  {
    text: 'Spring Boot 3.2 requires Java 17. org.springframework.boot:spring-boot-starter-actuator exposes /health; we restrict it in SecurityConfig.java.',
    entities: [
      'package:spring-boot',
      'package:org.springframework.boot:spring-boot-starter-actuator',
      'file:SecurityConfig.java',
    ],
    relations: [],
  },
  {
    text: 'A fila de notificações usa SQS, com DLQ depois de 5 tentativas. Segundo o Pedro Alves, o consumidor em services/notify/handler.py não é idempotente.',
    entities: ['service:sqs', 'person:pedro alves', 'file:services/notify/handler.py'],
    relations: [],
  },
  {
    text: 'Pinned: releases are cut from main by `npm run release`, which tags, publishes to npm and writes CHANGELOG.md. Nobody pushes tags by hand.',
    entities: ['command:npm run release', 'service:npm', 'file:CHANGELOG.md'],
    relations: [],
  },
  {
    text: 'Prometheus scrapes /metrics every 15 s. The histogram buckets in pkg/telemetry/metrics.go were chosen by Ingrid (SRE) from production traces.',
    entities: ['service:prometheus', 'file:pkg/telemetry/metrics.go', 'person:ingrid'],
    relations: ['file:pkg/telemetry/metrics.go decided_by person:ingrid'],
  },
  {
    text: 'const sharp = require("sharp") at the top of a lambda costs 300 ms of cold start on AWS Lambda. Load it inside the handler (functions/thumb/handler.js).',
    entities: ['package:sharp', 'service:aws lambda', 'file:functions/thumb/handler.js'],
    relations: [],
  },
  {
    text: 'Rails: `bin/rails db:migrate` fails with PG::DuplicateTable after a branch switch; run `bin/rails db:reset`. Sidekiq must be stopped first.',
    entities: [
      'package:rails',
      'command:bin/rails db:migrate',
      'command:bin/rails db:reset',
      'package:sidekiq',
    ],
    relations: [],
  },
  {
    text: 'The design tokens come from Figma through tokens/build.mjs. Do not edit src/styles/tokens.css, it is generated.',
    entities: ['service:figma', 'file:tokens/build.mjs', 'file:src/styles/tokens.css'],
    relations: [],
  },
  {
    text: 'Chose Typesense instead of Algolia: price, and it can be self-hosted. Decided by Olu on 3 June.',
    entities: ['service:typesense', 'service:algolia', 'person:olu'],
    relations: ['service:typesense replaces service:algolia', 'service:typesense decided_by person:olu'],
  },
  {
    text: 'Quando o `yarn install` falha com EINTEGRITY, apague o cache: `yarn cache clean`. O problema vem do Verdaccio em npm.interno.loja.com.br.',
    entities: [
      'command:yarn install',
      'command:yarn cache clean',
      'service:verdaccio',
      'service:npm.interno.loja.com.br',
    ],
    relations: [],
  },
  {
    text: 'Storybook 8 does not pick up stories in *.mdx unless @storybook/addon-docs is listed in .storybook/main.ts.',
    entities: ['package:storybook', 'file:*.mdx', 'package:@storybook/addon-docs', 'file:.storybook/main.ts'],
    relations: ['package:@storybook/addon-docs configured_in file:.storybook/main.ts'],
  },
  {
    text: 'Nginx terminates TLS and proxies /api to the Go service on port 8080; the limits are in deploy/nginx/site.conf. Traefik was tried and given up.',
    entities: ['service:nginx', 'file:deploy/nginx/site.conf', 'service:traefik'],
    relations: ['service:nginx configured_in file:deploy/nginx/site.conf'],
  },
  {
    text: 'fastapi and pydantic must move together: fastapi 0.100 depends on pydantic 2. The models in app/schemas.py were converted with bump-pydantic.',
    entities: ['package:fastapi', 'package:pydantic', 'file:app/schemas.py', 'package:bump-pydantic'],
    relations: ['package:fastapi depends_on package:pydantic'],
  },
  {
    text: 'The scheduler crashed at midnight on 31 March because Luxon and the database disagree about DST. Store UTC, convert in the view only.',
    entities: ['package:luxon'],
    relations: [],
  },
  {
    text: 'Auth0 tokens are cached for 10 minutes in Redis (AUTH0_DOMAIN=login.shop.example). Kenji proposed to move to Clerk next quarter.',
    entities: [
      'service:auth0',
      'service:redis',
      'service:login.shop.example',
      'person:kenji',
      'service:clerk',
    ],
    relations: [],
  },
  {
    text: 'To reproduce: `git bisect run ./scripts/check.sh` points at the commit that upgraded protobuf. Reverting it fixes the decoder in proto/decode.cc.',
    entities: ['command:git bisect', 'file:scripts/check.sh', 'package:protobuf', 'file:proto/decode.cc'],
    relations: [],
  },
]

export const ENTITY_SAMPLE: readonly LabelledEntry[] = [
  ...DEV.map(entry => ({ half: 'dev' as const, ...entry })),
  ...HELD_OUT.map(entry => ({ half: 'held-out' as const, ...entry })),
]
