/**
 * What the search for conflicts knows about words, English and Portuguese, folded (no capitals, no accents). Every list is one
 * string: read like a dictionary, and made a set when first needed.
 */

const words = (text: string): readonly string[] => text.split(/\s+/).filter(word => word !== '')

/** Several words that are one, and words that say the same with a particle. In order. */
export const IDIOMS: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\bcheck(?:s|ed|ing)? in(?:to)?\b/gi, 'commit'],
  [/\b(?:by hand|à mão|na mão)(?![\p{L}])/giu, 'manually'],
  [/\bpull requests?\b|\bmerge requests?\b/gi, 'PR'],
  [/\b(?:turn(?:s|ed)?|switch(?:ed|es)?) on\b/gi, 'enabled'],
  [/\b(?:turn(?:s|ed)?|switch(?:ed|es)?|shut) (?:off|down)\b/gi, 'disabled'],
  [/\bphased? out\b|\bget rid of\b|\bgot rid of\b/gi, 'removed'],
  [/\b(?:local time(?:zone)?|fuso (?:hor[aá]rio )?local|hora local)\b/gi, 'localtime'],
  [/\bopen[- ]source\b/gi, 'opensource'],
  [/\b(?:em vez d[eoa]|ao inv[eé]s d[eoa])\b/gi, 'instead of'],
  [/\bun(?=\p{L}{4,}(?:ed|able)\b)/giu, 'not '],
  [/\b(snake|camel|kebab|pascal)[ -]case\b/gi, '$1case'],
  [/\b(?:env(?:ironment)? (?:vars?|variables?)|vari[aá]ve(?:l|is) de ambiente)\b/gi, 'envvars'],
  [/\bauto[- ]increment(?:ed|ing)?\b/gi, 'autoincrement'],
  [/\bon (?:demand|request)\b|\bsob demanda\b|\bwhen (?:first )?(?:needed|requested)\b/gi, 'lazily'],
  [/\bahead of time\b|\bup ?front\b|\bin advance\b|\bde antem[aã]o\b/gi, 'eagerly'],
  [/\bbanco de dados\b/gi, 'database'],
  [/\bat most\b|\bat least\b|\bno m[aá]ximo\b|\bno m[ií]nimo\b|\bup to\b/gi, ' '],
  [/\bno more than\b/gi, ' '],
  [/\bleft out\b|\bfica(?:m)? de fora\b|\bdeixad[oa]s? de fora\b/gi, 'excluded'],
  [/\bin real[- ]time\b|\bem tempo real\b/gi, 'realtime'],
  [/\bin parallel\b|\bem paralelo\b/gi, 'parallel'],
  [
    /\b(?:one (?:by one|after (?:another|the other))|one at a time|um (?:por|de cada) vez)\b/gi,
    'sequentially',
  ],
  [/\b(big|little)[- ]endian\b/gi, '$1endian'],
  [/\b(row|column)[- ]major\b/gi, '$1major'],
  [/\bcounter[- ]?clockwise\b|\banti[- ]?clockwise\b/gi, 'counterclockwise'],
]

/** Words of a group are one concept; the first names it. */
export const SYNONYMS: readonly (readonly string[])[] = `
require need mandatory obligatory compulsory required needs precisar precisa precisam exigir exige exigem obrigatorio obrigatoria
store save persist keep kept gravar gravado gravada gravados gravadas salvar salvo salva salvos salvas guardar guardado guardados armazenar manter mantido mantidos
delete erase purge wipe apagar apagado excluir excluido deletar
date timestamp datetime data datas
money monetary dinheiro monetario monetaria monetarios monetarias
price preco precos
test tests testing teste testes testar
deploy deployment release rollout implantacao implantar publicar
database db
config configuration setting settings configuracao
error erro erros failure falha falhas
show display render exibir exibido exibidos exibidas mostrar mostra mostrado
log logs logging logged
user usuario usuarios
client browser cliente navegador
server backend servidor
file arquivo arquivos
queue fila filas
page pagina paginas
message mensagem mensagens
limit limite limites
search busca pesquisa
password senha senhas
payment pagamento pagamentos
production prod producao
staging homologacao
development dev desenvolvimento
environment env ambiente
version versao versoes
default padrao
review revisao
order pedido pedidos
account conta contas
report relatorio relatorios
service servico servicos
request requisicao requisicoes
field campo campos
table tabela tabelas
column coluna colunas
key chave chaves
code codigo
comment comentario comentarios
install instalar instalado instalados
publish published
run runs roda rodam rodar executar executa execute
expire expira expiram expiry ttl lifetime
retry retries retentar retentativa
merge merged merging
image imagem imagens picture
library lib biblioteca
dependency dependencies deps dependencia dependencias
endpoint route rota rotas
postgresql postgres pg
javascript js
typescript ts
kubernetes k8s
protobuf proto pb
email e-mail emails e-mails
english ingles
portuguese portugues
`
  .split('\n')
  .filter(line => line !== '')
  .map(words)

/** Each turns what its clause says around. Two in one clause cancel out. */
export const NEGATORS = words(`
not never no none without nothing nobody neither nor cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt mustnt hasnt havent
avoid avoided avoiding stop stopped stops forbid forbids forbidden prohibit prohibited ban banned disallow disallowed disable disables disabled disabling
remove removed removes drop dropped abolish abolished abandon abandoned discontinue discontinued retired deprecated obsolete unsupported skip skipped
deny denied refuse refuses reject rejects rejected exclude excluded excludes prevent prevents optional unnecessary off omit omitted gone
nao nunca jamais sem nenhum nenhuma nada evitar evite evitamos parar paramos parou proibir proibido proibida proibidos proibidas proibe desativar
desativado desativada desativados desligar desligado desligada desabilitar desabilitado desabilitada remover removido removida removidos removemos
abolir abolido abolida abolidos abolidas aposentado aposentada opcional opcionais dispensar dispensado dispensado rejeitar recusar bloquear bloqueado
abandonamos obsoleto obsoleta descontinuado desnecessario
`)

/** Those of them that put an end to the thing itself, so that whatever is said of it ends too. */
export const ENDINGS = new Set(
  words(`
remove removed removes drop dropped abolish abolished abandon abandoned discontinue discontinued retired deprecated obsolete gone stop stopped stops
remover removido removida removidos removemos abolir abolido abolida abolidos abolidas aposentado aposentada abandonamos obsoleto obsoleta descontinuado
parar paramos parou
`),
)

/** The one or the other, never both of one thing. Each line is `one … | other …`. */
export const ANTONYMS: readonly (readonly [readonly string[], readonly string[]])[] = `
public publico publica publicos publicas | private privado privada privados privadas internal interno interna
synchronous sync synchronously sincrono sincrona | asynchronous async asynchronously assincrono assincrona
before antes | after depois apos
client frontend browser | server backend
always sempre | never nunca jamais
include included includes incluir inclui incluido | exclude excluded excludes excluir without sem
manually manual manuais hand manualmente | automatically automatic automated automate pipeline automatico automatica automaticamente
keep kept retain retained store manter mantem mantido | delete deleted purge purged discard discarded
soft | hard
short short-lived curto curta curtos | long long-lived longo longa longos
small pequeno pequena | large big grande grandes
high alta alto altos altas | low baixa baixo baixos baixas
strict rigoroso | lenient loose lax permissive
mutable | immutable imutavel
required mandatory require obrigatorio obrigatoria | optional opcional unnecessary
allowed permitted allow permitido permitida permitidos | forbidden prohibited banned denied proibido proibida proibidos
stateless | stateful
monorepo mono-repo | polyrepo multi-repo multirepo
encrypted criptografado cifrado | plaintext unencrypted plain
eager eagerly precomputed pre-computed precalculated beforehand pre-calculado pre-calculados pre-calculada pre-calculadas | lazy lazily
only solely exclusively so somente apenas | any anyone anybody everyone everybody qualquer
per dedicated separate isolated proprio propria | share shared shares sharing common compartilhado compartilhada compartilham dividem
default opt-out padrao | opt-in
offline | online
mock mocks mocked mocking fake stub stubbed | real actual
accept accepts accepted aceitar aceita aceitam | reject rejects rejected rejeitar rejeita rejeitam
allow allows permit permite permitem | block blocks blocked deny denies bloquear bloqueia
open opened aberto aberta | closed close fechado fechada
optimistic otimista | pessimistic pessimista
incremental | full completo completa
anonymous anonimo | authenticated named autenticado
increase increases aumentar aumenta | decrease decreases diminuir diminui
minimum minimo | maximum maximo
memory in-memory memoria | disk on-disk disco
remote remoto remotely | local localmente locally
global globally | per-user per-tenant per-project
single-tenant | multi-tenant multitenant
monolith monolithic monolito | microservices microservice microsservicos
horizontal horizontally | vertical vertically
inline embutido | separate external separado
pinned fixed fixo fixa exact | floating range latest
squash | rebase
trunk trunk-based | gitflow long-lived
ascending crescente asc | descending decrescente desc
upper uppercase maiusculas | lower lowercase minusculas
relative relativo relativos | absolute absoluto absolutos
first primeiro | last ultimo
single unico unica | multiple varios several
inside dentro | outside fora
static estatico | dynamic dinamico
blocking | non-blocking nonblocking
nullable | non-null required
fixed constant fixo fixa constante | variable adaptive variavel adaptativo
mono | stereo estereo
paper papel | electronic electronically digital digitally eletronico eletronica eletronicamente digitalmente
hide hides hidden invisible ocultar oculto oculta escondido | show shows shown visible visivel visiveis exibir
sequential sequentially serial serially sequencial sequencialmente | parallel concurrently paralelo concorrente
batch batched batches lote lotes | streaming streamed realtime
push pushed | pull pulled
centralised centralized central centralizado | distributed decentralised decentralized distribuido descentralizado
lossy | lossless
sparse esparso | dense denso
wired cabo | wireless
permanent permanently permanente | temporary temporarily temporario temporaria
free gratuito gratuita gratis | paid pago paga
signed assinado assinada | unsigned
sorted ordered ordenado | unsorted unordered
compressed comprimido | uncompressed raw
visible visivel | hidden oculto
bigendian | littleendian
rowmajor | columnmajor
clockwise | counterclockwise
metric metrico | imperial
inclusive inclusivo | exclusive exclusivo
singular | plural
light claro | dark escuro
portrait retrato | landscape paisagem
early cedo | late tarde
active ativo ativa | inactive passive inativo inativa
once uma-vez | repeatedly every-time
top-down | bottom-up
singleton | per-request transient
`
  .split('\n')
  .filter(line => line !== '')
  .map(line => {
    const [one = '', other = ''] = line.split('|')
    return [words(one), words(other)] as const
  })

/** Named alternatives: where one of a class does a job, another does not. */
export const ALTERNATIVES: readonly (readonly string[])[] = `
postgresql postgres mysql mariadb sqlite oracle mssql sqlserver cockroachdb mongodb mongo dynamodb cassandra firestore couchdb
redis memcached valkey dragonfly hazelcast ehcache
elasticsearch opensearch meilisearch typesense algolia solr
kafka rabbitmq sqs nats activemq redpanda kinesis pulsar pubsub
npm pnpm yarn bun
pip poetry uv pipenv conda
maven gradle bazel sbt
webpack vite rollup parcel esbuild turbopack
jest vitest mocha ava jasmine
cypress playwright selenium puppeteer
react vue angular svelte solid preact ember
redux zustand mobx recoil pinia vuex
express fastify koa hapi nestjs hono
flask django fastapi
spring quarkus micronaut ktor
jenkins github-actions circleci travis gitlab-ci buildkite teamcity azure-pipelines actions
github gitlab bitbucket
aws gcp azure heroku flyio vercel netlify render
docker podman
kubernetes nomad ecs swarm
terraform pulumi cloudformation ansible
datadog newrelic grafana cloudwatch sentry rollbar bugsnag
launchdarkly unleash flagsmith split
rest graphql grpc soap trpc
json yaml toml xml protobuf avro msgpack csv text texto
iso epoch unix
utc localtime
tabs tab spaces espacos
camelcase snakecase kebabcase pascalcase
bcrypt argon2 argon2id scrypt pbkdf2 md5 sha1 sha256
jwt cookie cookies session-cookie opaque
numeric decimal float floats double integer inteiro inteiros cents centavos
uuid uuids uuidv4 uuidv7 ulid ulids serial autoincrement nanoid bigint sequence sequences sequential sequencial snowflake
url path header headers query-string querystring
envvars vault keychain dotenv secretsmanager ssm doppler
polling websocket websockets sse webhook webhooks long-polling
ssr csr ssg isr spa
blue-green rolling canary
java kotlin scala go golang rust python ruby php elixir typescript javascript swift perl haskell clojure dart
s3 gcs minio r2 blobstorage
snowflake bigquery redshift clickhouse duckdb
loki splunk elk graylog
pytest unittest nose
black ruff yapf flake8 autopep8
helm kustomize
argocd flux
cocoapods spm carthage
nginx caddy traefik envoy haproxy apache
airflow temporal dagster prefect
slack teams discord
jira linear trello asana
mit apache-2 gpl agpl bsd
semver calver
retrofit okhttp
gson moshi jackson
junit testng kotest spock
mockito mockk
frankfurt virginia oregon ireland london paris
utf-8 utf8 latin1 utf-16
hex base64
round half-even half-up truncate
stdout syslog journald
euro eur usd brl dollar real
eslint biome tslint oxlint
prettier biome dprint
prisma typeorm drizzle sequelize knex hibernate jooq
tailwind styled-components emotion sass css-modules css
sidekiq resque celery bullmq
stripe adyen braintree paypal mollie
sendgrid mailgun ses postmark resend
auth0 cognito keycloak okta clerk
vpn sso
merge squash rebase
english portuguese spanish german french
monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday sundays segunda terca quarta quinta sexta sextas sabado domingo daily weekly monthly quarterly yearly hourly nightly continuously diario diariamente semanal mensal trimestral continuamente
zod joi yup ajv valibot
winston pino bunyan log4j logback
moment dayjs date-fns luxon
axios fetch ky got
coroutines rxjava
room realm sqldelight
hilt dagger koin
swiftui uikit
compose xml-views
tokio async-std smol
serde bincode
debian ubuntu alpine
arm x86
celsius fahrenheit kelvin
metres meters feet kilometres kilometers miles metros pes quilometros milhas
wgs84 mercator utm
latitude longitude
modbus i2c spi uart rs485
bluetooth zigbee lora wifi ethernet
wav mp3 flac aac opus ogg
h264 h265 av1 vp9
png jpeg jpg webp avif gif svg
opengl vulkan metal directx webgl webgpu
unity unreal godot
pytorch tensorflow jax keras
adam sgd rmsprop
mean median mediana
pdf docx html markdown
fax email correio carta telefone sms whatsapp
cash card boleto pix dinheiro cartao
`
  .split('\n')
  .filter(line => line !== '')
  .map(words)

/** Classes of places and parties: naming two of one class means two scopes, not a contradiction. */
export const SCOPES: readonly (readonly string[])[] = `
production staging development local test ci preview sandbox qa homologacao producao
ios android web mobile desktop windows linux macos
get post put patch delete head
frontend backend
applications libraries packages
read write leitura escrita
`
  .split('\n')
  .filter(line => line !== '')
  .map(words)

/** Names of a number, not amounts: `note 12`, `issue 4711`. */
export const LABELS = new Set(
  words(`
note issue ticket pr mr bug line section chapter item entry record figure commit build number nr id question experiment
nota chamado linha secao capitulo item registro figura numero
`),
)

/** An end or a new value, beside what text/change-cue.ts knows. */
export const ENDING_CUE =
  /(?<![\p{L}\p{N}])(?:end(?:ed|s)|obsolete|history|shut down|sunset|phased out|rolled? back|revert(?:ed|s)?|abolish(?:ed)?|gone|decommissioned|discontinued|rewr(?:ote|itten)|convert(?:ed|s)|raised|lowered|increased|reduced|bumped|upgraded|downgraded|doubled|halved|extended|shortened|renamed|new \p{L}+ (?:are|is|use|go)|since (?:january|february|march|april|may|june|july|august|september|october|november|december|release|version|v?\d)|(?:aument|reduz|diminu|sub|baix|alter|atualiz|renome|encerr|descontinu|abol|elimin)(?:ou|imos|iu|amos|ada|ado|adas|ados|ida|ido|idas|idos)|desde|acab(?:ou|aram)|parou|paramos|extint[oa]s?)(?![\p{L}\p{N}])/iu

export const EXCLUSIVE =
  /(?<![\p{L}\p{N}])(?:only|exclusively|solely|all|every|always|só|somente|apenas|exclusivamente|todos?|todas?|sempre)(?![\p{L}\p{N}])/iu

/** Verbs that any statement may have: sharing one says nothing. */
export const VERBS = new Set(
  words(`
use uses used using run runs running go goes come comes came live lives lived happen happens make makes made get gets keep keeps kept put set sets take takes took
work works start starts started begin begins stay stays own do does done have has had be been being is are was were must may can should will would fine need needs require requires required
allow allowed permit support supports supported handle handled handles change changed move moved moves switch switched turn serve served serves lies sits stands reachable
add adds added remove removed enable enabled enables disable disabled replace replaced retire retired back backed prefer prefers choose chose pick return returns returned
usar usa usamos usado usada usados roda rodam rodar rodando ficar fica ficam vem vir fazer feito feita fazemos faz precisa precisam precisar exige ter tem permitir permitido
trocar trocamos trocou trocaram mudou mudamos mudaram migrar migramos migraram aumentamos aumentaram passou passamos passaram
`),
)

/** Verbs of the trade: sharing one tells something, but they are not what a statement is about. */
export const ACTIONS = new Set(
  words(`
write writes written read reads call calls called send sends sent store stores stored save saved talk talks hit hits create creates created produce produced built
render renders rendered declare declared migrate migrated retry retries commit committed push pushed merge merged deploy deploys deployed log logged
edit mock mocks validate validates validating publish published install installed show shows shown display configure configured define defined rotate encrypt
cache cached caches expire expires translate translated host
escreva escrever escrito ler le lido chamar enviar envia enviado gravar gravado gravados gravadas salvar salvo salva guardar criar criado criada
mostrar mostra exibir exibido exibidos exibidas publicar publicado publicada publicadas validar
`),
)

/** Adjectives, adverbs and empty nouns: they tell no two things apart. */
export const GENERIC = new Set(
  words(`
new old current currently novo nova novos novas antigo antiga antigos antigas own full whole real existing given certain several many few same other minimum maximum least most next ones
manually automatically everything anything history purpose request way case cases thing things part parts kind place time times moment side code file files object objects data
exclusively only directly immediately usually still already also just again ever yet soon later now today valor valores total cada
`),
)
