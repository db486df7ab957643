import { type Random, seededRandom } from './synthetic-corpus.ts'

/**
 * Conversations of any number, each made from its seed alone: requests, work, tool output, chatter, and in between what is worth
 * keeping. Every slot has many fillers, so that what is decided differs from session to session and now and then comes again.
 */
export interface TalkMessage {
  readonly role: 'user' | 'agent' | 'tool'
  readonly text: string
}

const SUBJECTS =
  `checkout form|invoice export|search page|login flow|billing worker|mail queue|image resizer|report builder|tenant switch|audit view|webhook relay|rate limiter|session store|price import|stock sync|label printer|contact merge|calendar feed|chat widget|upload dialog|currency table|refund job|access log|feature flags|theme editor|mobile shell|push sender|map layer|sensor hub|ledger page|booking engine|seat picker|coupon check|tax table|payout run|customer portal|partner gateway|document viewer|signature step|backup task`.split(
    '|',
  )
const PARTS =
  `retry policy|cache key|timeout|schema|index|payload|cursor|batch size|error page|lock|schedule|token check|date format|rounding|sort order|fallback|queue name|log line|header|migration|fixture|validation|encoding|pagination|unit test|build step|bundle|release note|permission|locale`.split(
    '|',
  )
const TOOLS =
  `Redis|PostgreSQL|SQLite|Kafka|RabbitMQ|Elasticsearch|MinIO|Nginx|Caddy|Envoy|Terraform|Ansible|Helm|Vite|Rollup|esbuild|Vitest|Playwright|Cypress|Prisma|Drizzle|Knex|Zod|Valibot|Fastify|Hono|Express|Django|Flask|Celery|Sidekiq|Rails|Ktor|Spring|Gradle|Bazel|Docker|Podman|Grafana|Loki`.split(
    '|',
  )
const REASONS =
  `the partner drops idle connections|the old one leaks memory under load|support asked for it twice|it broke the nightly run|the audit wants a trace|two teams share the table|the vendor changes it without notice|it doubles the bundle|mobile clients cannot parse it|the replica lags by minutes|it hides real errors|the proxy strips it`.split(
    '|',
  )
const FILES = `src|lib|app|server|web|packages/core|services/api|jobs`.split('|')
const CHATTER =
  `Thanks, that helps.|Looks good to me.|Let me check the output.|Running it again now.|One moment.|Done, have a look.|I am reading the file.|Nice.|Hm, interesting.|OK, go on.|Could you explain that once more?|Should we maybe try something else?|What does the log say?|I wonder whether this is related.`.split(
    '|',
  )
const CHECKS = ['npm test', 'npm run lint', 'cargo test', 'pytest -q', 'go test ./...', 'npx tsc --noEmit']

export function makeTalk(seed: number, exchanges: number): TalkMessage[] {
  const random = seededRandom(seed * 7919 + 17)
  const messages: TalkMessage[] = []
  for (let at = 0; at < exchanges; at++) {
    const roll = random()
    if (roll < 0.3) messages.push(...chat(random))
    else if (roll < 0.6) messages.push(...work(random))
    else if (roll < 0.75) messages.push(...decide(random))
    else if (roll < 0.9) messages.push(...learn(random))
    else messages.push(...leaveForLater(random))
  }
  return messages
}

/** A fact that is told once and asked for later. */
export interface PlantedFact {
  readonly said: string
  readonly question: string
}

export function makeFact(number: number): PlantedFact {
  const random = seededRandom(number * 104_729 + 3)
  const subject = pick(random, SUBJECTS)
  const part = pick(random, PARTS)
  const tool = pick(random, TOOLS)
  const limit = 20 + number
  return {
    said: `From now on the ${part} of the ${subject} in depot ${limit} goes through ${tool}, because ${pick(random, REASONS)}.`,
    question: `what does the ${part} of the ${subject} in depot ${limit} go through?`,
  }
}

function chat(random: Random): TalkMessage[] {
  return [
    { role: 'user', text: `Can you look at the ${pick(random, PARTS)} of the ${pick(random, SUBJECTS)}?` },
    { role: 'agent', text: pick(random, CHATTER) },
    ...(random() < 0.5 ? [{ role: 'user' as const, text: pick(random, CHATTER) }] : []),
  ]
}

function work(random: Random): TalkMessage[] {
  const file = fileName(random)
  const hasFailed = random() < 0.4
  return [
    { role: 'user', text: `Please change the ${pick(random, PARTS)} in ${file}.` },
    { role: 'agent', text: `I have edited ${file} and will run the checks now.` },
    {
      role: 'tool',
      text: `$ ${pick(random, CHECKS)}\n${hasFailed ? `FAIL ${file}: expected ${number(random)} received ${number(random)}` : `${number(random)} passed`}`,
    },
    { role: 'agent', text: hasFailed ? 'One check fails, let me look.' : 'All checks pass.' },
  ]
}

function decide(random: Random): TalkMessage[] {
  const subject = pick(random, SUBJECTS)
  const part = pick(random, PARTS)
  const said = [
    `Let's go with ${pick(random, TOOLS)} for the ${part} of the ${subject}, because ${pick(random, REASONS)}.`,
    `Never touch the ${part} of the ${subject} without a flag: ${pick(random, REASONS)}.`,
    `We always keep the ${part} of the ${subject} below ${number(random)} MB.`,
    `No ${pick(random, TOOLS)} in the ${subject}, use ${pick(random, TOOLS)} instead since ${pick(random, REASONS)}.`,
  ]
  return [
    { role: 'agent', text: `How should the ${part} of the ${subject} work?` },
    { role: 'user', text: pick(random, said) },
    { role: 'agent', text: 'Understood.' },
  ]
}

function learn(random: Random): TalkMessage[] {
  const subject = pick(random, SUBJECTS)
  const said = [
    `The root cause: the ${pick(random, PARTS)} of the ${subject} times out after ${number(random)} seconds when ${pick(random, TOOLS)} restarts, because ${pick(random, REASONS)}.`,
    `It turns out that ${pick(random, TOOLS)} ignores the ${pick(random, PARTS)} in ${fileName(random)} unless it is set twice.`,
    `The ${subject} only fails when the ${pick(random, PARTS)} is larger than ${number(random)} KB, since ${pick(random, REASONS)}.`,
  ]
  return [
    { role: 'user', text: `Why does the ${subject} fail?` },
    { role: 'agent', text: pick(random, said) },
  ]
}

function leaveForLater(random: Random): TalkMessage[] {
  return [
    {
      role: 'user',
      text: `Leave the ${pick(random, PARTS)} of the ${pick(random, SUBJECTS)} for ${pick(random, ['Monday', 'the next sprint', 'after the release'])}.`,
    },
    { role: 'agent', text: 'Noted.' },
  ]
}

function fileName(random: Random): string {
  return `${pick(random, FILES)}/${pick(random, SUBJECTS).replaceAll(' ', '-')}/${pick(random, PARTS).replaceAll(' ', '-')}.ts`
}

function number(random: Random): number {
  return 2 + Math.floor(random() * 900)
}

function pick<T>(random: Random, all: readonly T[]): T {
  return all[Math.floor(random() * all.length)] as T
}
