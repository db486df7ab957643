/**
 * Products that run on a server. `name` is the key; the words after it are other ways to write it. A name in CLEAR has no other meaning
 * in any case; one in PROPER is a common word too, so it counts only with its capital.
 */
const CLEAR: readonly string[] = [
  'postgresql postgres postgre',
  'mysql',
  'mariadb',
  'sqlite',
  'mongodb mongo',
  'redis',
  'valkey',
  'memcached',
  'cockroachdb',
  'dynamodb',
  'elasticsearch',
  'opensearch',
  'meilisearch',
  'typesense',
  'algolia',
  'clickhouse',
  'bigquery',
  'redshift',
  'neo4j',
  'influxdb',
  'timescaledb timescale',
  'cassandradb',
  'couchdb',
  'couchbase',
  'firestore',
  'firebase',
  'supabase',
  'planetscale',
  'qdrant',
  'pinecone',
  'weaviate',
  'milvus',
  'kafka',
  'rabbitmq',
  'redpanda',
  'nats.io',
  'activemq',
  'sqs',
  'sns',
  'eventbridge',
  'kinesis',
  'pubsub',
  's3',
  'minio',
  'ec2',
  'ecs',
  'eks',
  'rds',
  'cloudfront',
  'cloudwatch',
  'route53',
  'aws',
  'gcp',
  'azure',
  'heroku',
  'vercel',
  'netlify',
  'digitalocean',
  'hetzner',
  'linode',
  'fly.io',
  'cloudflare',
  'fastly',
  'akamai',
  'docker',
  'kubernetes k8s',
  'podman',
  'openshift',
  'istio',
  'linkerd',
  'nginx',
  'haproxy',
  'traefik',
  'caddyserver',
  'keycloak',
  'okta',
  'auth0',
  'cognito',
  'stripe',
  'paypal',
  'braintree',
  'adyen',
  'mercadopago',
  'pagseguro',
  'twilio',
  'sendgrid',
  'mailgun',
  'mailchimp',
  'postmark',
  'intercom',
  'zendesk',
  'hubspot',
  'salesforce',
  'shopify',
  'contentful',
  'github',
  'gitlab',
  'bitbucket',
  'jenkins',
  'circleci',
  'teamcity',
  'buildkite',
  'argocd',
  'sonarqube',
  'artifactory',
  'datadog',
  'sentry',
  'grafana',
  'prometheus',
  'alertmanager',
  'newrelic',
  'splunk',
  'kibana',
  'logstash',
  'jaeger',
  'zipkin',
  'honeycomb.io',
  'pagerduty',
  'opsgenie',
  'statuspage',
  'launchdarkly',
  'mixpanel',
  'posthog',
  'jira',
  'trello',
  'asana',
  'slack',
  'figma',
  'airtable',
  'openai',
  'anthropic',
  'ollama',
  'databricks',
  'snowflakedb',
  'dockerhub',
  'etcd',
  'zookeeper',
  'hasura',
  'openvpn',
  'wireguard',
  'tailscale',
  'ngrok',
]

const PROPER: readonly string[] = [
  'vault',
  'consul',
  'nomad',
  'envoy',
  'kong',
  'render',
  'railway',
  'neon',
  'snowflake',
  'airflow',
  'spark',
  'segment',
  'amplitude',
  'linear',
  'notion',
  'confluence',
  'clerk',
  'square',
  'discord',
  'telegram',
  'whatsapp',
  'teams',
  'bamboo',
  'harbor',
  'loki',
  'tempo',
  'oracle',
  'solr',
  'temporal',
  'metabase',
  'looker',
  'tableau',
  'beanstalk',
  'lambda',
  'caddy',
  'cassandra',
]
/** Those that begin ordinary sentences too often to count there. */
const MID_SENTENCE_ONLY = new Set([
  'render',
  'segment',
  'linear',
  'square',
  'notion',
  'teams',
  'spark',
  'temporal',
  'tempo',
  'lambda',
])

/** First word (lower case) → the rest of the name, with blanks → the key. All start with a capital or are acronyms. */
const PHRASES: readonly (readonly [phrase: string, name: string])[] = [
  ['github actions', 'github actions'],
  ['gitlab ci', 'gitlab ci'],
  ['aws lambda', 'aws lambda'],
  ['amazon s3', 's3'],
  ['aws s3', 's3'],
  ['amazon sqs', 'sqs'],
  ['google cloud', 'gcp'],
  ['google analytics', 'google analytics'],
  ['google sheets', 'google sheets'],
  ['google maps', 'google maps'],
  ['azure devops', 'azure devops'],
  ['sql server', 'sql server'],
  ['new relic', 'newrelic'],
  ['mercado pago', 'mercadopago'],
  ['cloud run', 'cloud run'],
  ['cloud functions', 'cloud functions'],
  ['secrets manager', 'aws secrets manager'],
  ['app store', 'app store'],
  ['google play', 'google play'],
  ['docker hub', 'dockerhub'],
  ['microsoft teams', 'teams'],
  ['apache kafka', 'kafka'],
  ['apache airflow', 'airflow'],
  ['cloudflare workers', 'cloudflare'],
  ['argo cd', 'argocd'],
]

/** `STRIPE_SECRET_KEY` is about Stripe. */
const PREFIXES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    DD: 'datadog',
    PG: 'postgresql',
    GH: 'github',
    CF: 'cloudflare',
    MONGO: 'mongodb',
    KUBE: 'kubernetes',
    GCLOUD: 'gcp',
    ES: 'elasticsearch',
    RABBIT: 'rabbitmq',
  }),
)

/** Hosts whose product is better known than they are. */
const HOSTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'github.com': 'github',
    'gitlab.com': 'gitlab',
    'bitbucket.org': 'bitbucket',
    'fly.io': 'fly.io',
  }),
)

const clear = new Map(
  CLEAR.flatMap(line => {
    const [name = '', ...others] = line.split(' ')
    return [name, ...others].map(word => [word, name] as const)
  }),
)
const proper = new Set(PROPER)
const phrasesByFirst = new Map<string, (readonly [rest: string, name: string])[]>()
for (const [phrase, name] of PHRASES) {
  const blank = phrase.indexOf(' ')
  const first = phrase.slice(0, blank)
  phrasesByFirst.set(first, [...(phrasesByFirst.get(first) ?? []), [phrase.slice(blank), name]])
}

/** Plain lower-case words that need a closer check. */
export const SERVICE_WORDS: readonly string[] = [...clear.keys(), ...phrasesByFirst.keys()]

interface WordInText {
  readonly word: string
  readonly lower: string
  /** The offset after the word. */
  readonly end: number
  readonly startsSentence: boolean
}

/** The service that a word, or a word with those after it, names. */
export function serviceAt(text: string, { word, lower, end, startsSentence }: WordInText) {
  for (const [rest, name] of phrasesByFirst.get(lower) ?? []) {
    const next = text.slice(end, end + rest.length)
    if (next.toLowerCase() === rest && next[1] !== rest[1] && !isWordCharacter(text[end + rest.length]))
      return { name, end: end + rest.length }
  }
  const name = clear.get(lower)
  if (name !== undefined) return { name, end }
  const isProper =
    word[0] !== lower[0] && proper.has(lower) && !(startsSentence && MID_SENTENCE_ONLY.has(lower))
  // `VAULT` may be any constant; `Vault` is a name.
  return isProper && word.slice(1) === lower.slice(1) ? { name: lower, end } : undefined
}

/** The service of an environment variable, by the part before its first underscore. */
export function serviceOfVariable(variable: string): string | undefined {
  const prefix = variable.slice(0, variable.indexOf('_'))
  return PREFIXES.get(prefix) ?? clear.get(prefix.toLowerCase())
}

const URL = /^[a-z][a-z+.-]{1,14}:\/\/(?:[^/@\s]*@)?(\[[^\]]*\]|[^/:?#\s]+)/i

/** `redis://user@Cache.internal:6379/0` → `cache.internal` */
export function hostOfUrl(word: string): string | undefined {
  return URL.exec(word)?.[1]?.toLowerCase()
}

export function serviceOfHost(host: string): string {
  return HOSTS.get(host) ?? host
}

/** `Postgres` → `postgresql`: the name that a service is stored under. */
export function serviceNamed(text: string): string | undefined {
  return clear.get(text) ?? PHRASES.find(([phrase]) => phrase === text)?.[1]
}

export function isServiceName(lower: string): boolean {
  return clear.has(lower) || proper.has(lower)
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character)
}
