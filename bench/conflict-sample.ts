/**
 * Pairs of statements with whether they can both hold, English and Portuguese. Labelled before anything was run on them; the
 * rules may be tuned on `dev`, and are only measured on the others. `late` was written when the rules stood, with words that
 * their tables were not made for; twenty more of that kind have become `dev` since. `b` is the newer one.
 */
export interface LabelledPair {
  readonly half: 'dev' | 'held-out' | 'late' | 'other trades' | 'unseen' | 'named, dev' | 'named'
  readonly a: string
  readonly b: string
  readonly conflict: boolean
}

const conflicting = (half: LabelledPair['half'], a: string, b: string): LabelledPair => ({
  half,
  a,
  b,
  conflict: true,
})
const compatible = (half: LabelledPair['half'], a: string, b: string): LabelledPair => ({
  half,
  a,
  b,
  conflict: false,
})

export const CONFLICT_SAMPLE: readonly LabelledPair[] = [
  conflicting('dev', 'Use pnpm for installing packages.', 'Packages are installed with npm ci.'),
  conflicting('dev', 'The session cookie lives 30 minutes.', 'Session cookies expire after 8 hours.'),
  conflicting('dev', 'Every handler must validate its input.', 'Validating input in handlers is optional.'),
  conflicting(
    'dev',
    'Images are resized in the browser before upload.',
    'Image resizing happens on the server, after upload.',
  ),
  conflicting('dev', 'Error messages are shown in English only.', 'Error messages must be translated.'),
  conflicting('dev', 'The scheduler runs on Quartz.', 'The scheduler no longer runs on Quartz.'),
  conflicting(
    'dev',
    'Search is backed by Elasticsearch.',
    'We migrated search from Elasticsearch to Meilisearch.',
  ),
  conflicting(
    'dev',
    'The rate limit is 100 requests a minute.',
    'The rate limit was raised to 250 requests a minute.',
  ),
  conflicting('dev', 'O deploy é feito às sextas.', 'Nunca fazemos deploy às sextas.'),
  conflicting('dev', 'Usamos MySQL no serviço de pedidos.', 'O serviço de pedidos roda em PostgreSQL.'),
  conflicting('dev', 'O token expira em 15 minutos.', 'O token agora expira em 1 hora.'),
  conflicting('dev', 'Logs em formato texto.', 'Os logs são gravados em JSON.'),
  conflicting('dev', 'Comentários no código são em português.', 'Escreva comentários no código em inglês.'),
  conflicting(
    'dev',
    'Background jobs go through Sidekiq.',
    'Sidekiq was retired, background jobs go through SQS.',
  ),
  conflicting(
    'dev',
    'Keep deleted accounts for 90 days.',
    'Deleted accounts are purged immediately, nothing is kept.',
  ),
  conflicting('dev', 'Tests may call the network.', 'No test may call the network.'),
  compatible('dev', 'The web app uses React.', 'The admin app uses Vue.'),
  compatible('dev', 'Timeout for the search call is 2 s.', 'Timeout for the export job is 10 minutes.'),
  compatible('dev', 'Never log passwords.', 'Log every failed login with the user id.'),
  compatible('dev', 'Staging runs on two nodes.', 'Production runs on six nodes.'),
  compatible('dev', 'We use Redis for the cache.', 'Redis is configured with maxmemory-policy allkeys-lru.'),
  compatible('dev', 'Enable debug logs locally.', 'Debug logs are disabled in production.'),
  compatible('dev', 'Use Zod for validating requests.', 'Use Prisma for database access.'),
  compatible('dev', 'Do not mock the database in tests.', 'Mock the mail server in tests.'),
  compatible('dev', 'The parser is written in Rust.', 'The parser benchmarks run nightly.'),
  compatible('dev', 'Testes unitários rodam no pre-commit.', 'Testes de ponta a ponta rodam só no CI.'),
  compatible(
    'dev',
    'O serviço de contas usa PostgreSQL.',
    'O serviço de relatórios lê de uma réplica do ClickHouse.',
  ),
  compatible('dev', 'Não usar floats para dinheiro.', 'Usar floats para coordenadas geográficas.'),
  compatible('dev', 'O limite de anexos é 10 MB.', 'O limite de consultas é 60 por minuto.'),
  compatible(
    'dev',
    'Migrations run before the deploy.',
    'A migration that takes over a minute needs a review.',
  ),
  compatible('dev', 'We moved the docs to Docusaurus.', 'The docs have a page for every command.'),
  compatible(
    'dev',
    'Public functions need a doc comment.',
    'Private helpers need no doc comment if their name says it.',
  ),

  conflicting('held-out', 'Indent with tabs.', 'The formatter indents with two spaces.'),
  conflicting(
    'held-out',
    'The webhook endpoint is synchronous.',
    'Webhooks are handled asynchronously from a queue.',
  ),
  conflicting(
    'held-out',
    'Merge commits are forbidden, always rebase.',
    'Pull requests are merged with a merge commit.',
  ),
  conflicting('held-out', 'Node 18 is required.', 'The project requires Node 22.'),
  conflicting(
    'held-out',
    'API keys are stored in the .env file.',
    'API keys must never be stored in .env; they come from Vault.',
  ),
  conflicting('held-out', 'The cart is stored on the client.', 'The server keeps the cart.'),
  conflicting(
    'held-out',
    'Soft delete: users rows are kept with deleted_at.',
    'Users are hard deleted from the table.',
  ),
  conflicting(
    'held-out',
    'CI runs on Jenkins.',
    'Since March CI runs on GitHub Actions, the Jenkins box is gone.',
  ),
  conflicting('held-out', 'Prices are shown without tax.', 'Prices on the product page include tax.'),
  conflicting('held-out', 'We publish releases by hand.', 'Releases are published automatically on tag.'),
  conflicting(
    'held-out',
    'Styles are written with styled-components.',
    'styled-components is deprecated here; use CSS modules.',
  ),
  conflicting('held-out', 'Páginas de resultado têm 20 itens.', 'Cada página de resultado mostra 50 itens.'),
  conflicting('held-out', 'O cache fica desligado por padrão.', 'O cache vem ligado por padrão.'),
  conflicting(
    'held-out',
    'As mensagens são publicadas no RabbitMQ.',
    'Trocamos o RabbitMQ pelo Kafka para as mensagens.',
  ),
  conflicting('held-out', 'Code review é opcional.', 'Todo PR precisa de code review.'),
  conflicting('held-out', 'Datas são exibidas em UTC.', 'As datas são exibidas no fuso local do usuário.'),
  compatible('held-out', 'The API gateway runs on port 8080.', 'The metrics server runs on port 9100.'),
  compatible('held-out', 'Always use UTC in the database.', 'Show local time in the user interface.'),
  compatible('held-out', 'Never edit generated files.', 'Edit the template when a generated file is wrong.'),
  compatible('held-out', 'Retry idempotent requests.', 'Do not retry payments.'),
  compatible('held-out', 'The Android build uses Gradle.', 'The iOS build uses Xcode Cloud.'),
  compatible('held-out', 'Invoices are kept for ten years.', 'Access logs are kept for 30 days.'),
  compatible('held-out', 'We dropped Internet Explorer.', 'Explorer views in the admin page load lazily.'),
  compatible(
    'held-out',
    'Authentication uses OAuth with PKCE.',
    'Authentication failures are logged with the client id.',
  ),
  compatible('held-out', 'Add an index on orders.created_at.', 'Remove the index on orders.status.'),
  compatible('held-out', 'Feature flags default to off.', 'Audit logging is on by default.'),
  compatible('held-out', 'The worker pool has 8 threads.', 'The connection pool has 20 connections.'),
  compatible('held-out', 'O ambiente de homologação usa SQLite.', 'Em produção usamos PostgreSQL.'),
  compatible('held-out', 'Sempre validar o CPF no cadastro.', 'Nunca mostrar o CPF completo na tela.'),
  compatible('held-out', 'A fila de e-mail tem 3 tentativas.', 'O job de cobrança tem 5 tentativas.'),
  compatible('held-out', 'O frontend usa Vite.', 'O frontend é publicado no Cloudflare Pages.'),
  compatible(
    'held-out',
    'Removemos o módulo de relatórios antigos.',
    'O módulo de relatórios novos exporta CSV e PDF.',
  ),

  conflicting(
    'dev',
    'Thumbnails are generated when the picture is first requested.',
    'All thumbnails are made at upload time, none on demand.',
  ),
  conflicting(
    'dev',
    'The desktop client stores drafts on disk.',
    'Drafts must not touch the disk of the desktop client.',
  ),
  conflicting(
    'dev',
    'Squash every branch before merging.',
    'We keep the full history of a branch, no squashing.',
  ),
  conflicting(
    'dev',
    'Tenant isolation is done with one schema per tenant.',
    'All tenants share one schema, with a tenant_id column.',
  ),
  conflicting(
    'dev',
    'Mail goes out through Postmark.',
    'We send mail with Amazon SES since the price change.',
  ),
  conflicting('dev', 'The nightly export starts at 02:00.', 'The nightly export starts at 04:30.'),
  conflicting(
    'dev',
    'Support answers tickets within 24 hours.',
    'Tickets have to be answered within 4 hours.',
  ),
  conflicting('dev', 'The CLI prints colours by default.', 'Coloured output in the CLI is opt-in.'),
  conflicting('dev', 'Only admins may invite members.', 'Any member can invite other members.'),
  conflicting('dev', 'The lint step fails on warnings.', 'Warnings do not fail the lint step.'),
  conflicting(
    'late',
    'Terraform state is kept locally.',
    'Terraform state lives in an S3 bucket with locking.',
  ),
  conflicting(
    'late',
    'Unit tests use an in-memory H2.',
    'H2 was thrown out of the unit tests, they start a Postgres container.',
  ),
  conflicting(
    'late',
    'Our mascot service is written in Elixir.',
    'The mascot service has been rewritten in Go.',
  ),
  conflicting('late', 'Passwords need at least 8 characters.', 'Minimum password length is 14 characters.'),
  conflicting(
    'late',
    'A biblioteca de gráficos é a Recharts.',
    'Substituímos a Recharts pela ECharts em todos os gráficos.',
  ),
  conflicting(
    'late',
    'Relatórios são gerados sob demanda.',
    'Os relatórios são pré-calculados toda madrugada, nunca sob demanda.',
  ),
  conflicting('late', 'O aplicativo funciona offline.', 'O aplicativo exige conexão o tempo todo.'),
  conflicting(
    'late',
    'A senha do certificado fica no cofre.',
    'Não guardamos a senha do certificado no cofre.',
  ),
  conflicting('late', 'Cada loja tem seu próprio banco.', 'Todas as lojas dividem o mesmo banco.'),
  conflicting('late', 'O prazo de estorno é de 7 dias.', 'O prazo de estorno passou a ser de 30 dias.'),
  compatible('dev', 'Thumbnails are 200 pixels wide.', 'Thumbnails are stored as WebP.'),
  compatible(
    'dev',
    'The desktop client stores drafts on disk.',
    'The desktop client is signed with our certificate.',
  ),
  compatible('dev', 'Squash fix-up commits before review.', 'Reviewers never squash for the author.'),
  compatible(
    'dev',
    'Tenant isolation is done with one schema per tenant.',
    'A tenant is created by the onboarding job.',
  ),
  compatible(
    'dev',
    'Mail goes out through Postmark.',
    'Bounced mail is retried twice, then the address is blocked.',
  ),
  compatible('dev', 'The nightly export starts at 02:00.', 'The backup starts at 03:00.'),
  compatible(
    'dev',
    'Premium customers get an answer within 4 hours.',
    'Free customers get an answer within two days.',
  ),
  compatible('dev', 'Colours are off when stdout is no terminal.', 'The help page uses colours for flags.'),
  compatible('dev', 'Only admins may invite members.', 'Members may leave a workspace at any time.'),
  compatible('dev', 'The lint step takes 40 seconds.', 'The type check takes two minutes.'),
  compatible(
    'late',
    'Terraform modules are versioned by tag.',
    'Terraform is run from the pipeline, never from a laptop.',
  ),
  compatible('late', 'We removed the H2 dependency.', 'The order tests start a container before the suite.'),
  compatible('late', 'The importer skips empty rows.', 'The exporter writes empty rows.'),
  compatible('late', 'Passwords need at least 14 characters.', 'API tokens have 40 characters.'),
  compatible(
    'late',
    'A biblioteca de gráficos é a Recharts.',
    'Gráficos com mais de mil pontos são amostrados.',
  ),
  compatible(
    'late',
    'Relatórios fiscais ficam guardados por 5 anos.',
    'Relatórios de uso ficam guardados por 90 dias.',
  ),
  compatible('late', 'O aplicativo funciona offline.', 'O painel administrativo não funciona offline.'),
  compatible('late', 'A senha do certificado fica no cofre.', 'O certificado vence em março.'),
  compatible(
    'late',
    'Não fazer consultas dentro de laços.',
    'Fazer consultas com paginação na listagem de lojas.',
  ),
  compatible('late', 'O webhook de estorno é assíncrono.', 'O cálculo da taxa é síncrono.'),

  conflicting(
    'late',
    'Secrets are read from environment variables.',
    'Secrets come from HashiCorp Vault, nothing secret is in the environment.',
  ),
  conflicting('late', 'Primary keys are UUIDs.', 'Tables have bigint primary keys from a sequence.'),
  conflicting(
    'late',
    'The public API is versioned in the URL.',
    'API versions are negotiated through the Accept header.',
  ),
  conflicting('late', 'Access tokens never expire.', 'An access token is valid for one hour.'),
  conflicting(
    'late',
    'Errors are returned with status 200 and an error object.',
    'A failed call answers with a 4xx or 5xx status, never 200.',
  ),
  conflicting(
    'late',
    'Only the CI server may publish packages.',
    'Developers publish packages from their machine.',
  ),
  conflicting(
    'late',
    'The monorepo is built with Bazel.',
    'Bazel was removed in May; the monorepo builds with Gradle again.',
  ),
  conflicting(
    'late',
    'We support the two latest major versions.',
    'Support now covers the three latest major versions.',
  ),
  conflicting(
    'late',
    'Background sync runs every 15 minutes.',
    'Background sync was slowed down to once an hour to save battery.',
  ),
  conflicting('late', 'O front envia o CPF com pontuação.', 'O CPF trafega sem pontuação.'),
  conflicting('late', 'Erros de validação retornam 400.', 'Erros de validação devolvem 422.'),
  conflicting(
    'late',
    'A autenticação é feita por sessão no servidor.',
    'A autenticação passou a ser por JWT.',
  ),
  compatible(
    'late',
    'Secrets are read from environment variables.',
    'Feature toggles are read from a config file.',
  ),
  compatible('late', 'Primary keys are UUIDs.', 'Foreign keys have an index.'),
  compatible('late', 'The public API is versioned in the URL.', 'The internal API has no version.'),
  compatible('late', 'Refresh tokens expire after 30 days.', 'Access tokens expire after 15 minutes.'),
  compatible('late', 'Do not throw in event handlers.', 'Throw a DomainError in the service layer.'),
  compatible('late', 'The CI server publishes packages.', 'The CI server has 8 cores.'),
  compatible('late', 'Never block the main thread.', 'Blocking calls are fine in the import script.'),
  compatible('late', 'We stopped supporting Windows 7.', 'The installer supports macOS 13 and later.'),
  compatible(
    'late',
    'Avoid global state in components.',
    'The theme is kept in global state in the app shell.',
  ),
  compatible('late', 'Usar Kotlin nos módulos novos.', 'Os módulos legados continuam em Java.'),
  compatible('late', 'Erros de validação retornam 422.', 'Erros de autenticação retornam 401.'),
  compatible('late', 'Não commitar arquivos .env.', 'Commitar o arquivo .env.example.'),
]
