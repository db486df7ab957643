/**
 * Libraries and tools that prose names without a version or an import: the widely used ones of each registry. A name in CLEAR has no
 * other meaning; one in PROPER is an everyday word too and counts only in code, with a version after it, or (PROPER_CAPITAL) with a
 * capital inside a sentence.
 */
const CLEAR = `
  react-dom react-router react-query preact svelte sveltekit solidjs nextjs nuxt astro remix vue vuex pinia angular rxjs jquery htmx alpinejs
  redux zustand mobx jotai tanstack axios lodash ramda dayjs date-fns luxon immer zod valibot yup ajv superjson
  webpack vite vitest rollup rolldown esbuild swc babel parcel turbopack turborepo lerna pnpm eslint prettier biome stylelint
  jest mocha jasmine cypress playwright puppeteer storybook testcontainers nock msw supertest
  fastify koa hono nestjs apollo graphql-js trpc socket.io prisma drizzle-orm typeorm sequelize knex mongoose bullmq ioredis
  ts-node tsx nodemon pino tailwindcss tailwind bootstrap shadcn chakra-ui emotion styled-components
  threejs d3 highcharts leaflet mapbox electron tauri expo webdriverio lighthouse husky lint-staged semantic-release
  django flask fastapi pydantic sqlalchemy alembic celery gunicorn uvicorn uvloop starlette httpx aiohttp numpy pandas polars
  scipy matplotlib scikit-learn pytorch tensorflow keras pytest mypy pylint ruff flake8 isort poetry pipenv virtualenv boto3
  jinja2 marshmallow psycopg2 psycopg asyncpg selenium beautifulsoup4 scrapy freezegun hypothesis-python opencv langchain
  tokio serde serde_json actix actix-web axum hyper-util reqwest rocket-rs diesel sqlx clap-rs rayon anyhow thiserror tonic wasm-bindgen
  gorm gin-gonic cobra-cli pgx sqlc testify grpc-go protobuf grpc zap-logger
  rails sidekiq rspec rubocop devise puma-web activerecord capybara
  spring-boot springboot hibernate junit mockito lombok gradle maven flyway liquibase kotlinx ktor
  laravel symfony phpunit doctrine composer-php entityframework xunit nunit automapper mediatr dapper
  dio riverpod flutter terraform pulumi ansible helm kustomize packer vagrant libvips ffmpeg imagemagick openssl
  opentelemetry logback log4j slf4j bundler cocoapods swiftlint alamofire retrofit okhttp
`
const PROPER = `
  react express next moment sharp requests click rich black passport winston request chalk commander echo gin gorilla
  rocket warp hyper clap tracing log core phoenix ecto jekyll hugo guice dagger realm glide got ink blessed puma rake
  pillow airbyte nose tox attrs emotion remix ember backbone
`
/** Those whose projects write them with a capital. */
const PROPER_CAPITAL = new Set(
  'react express next moment requests click black passport winston rocket warp phoenix ecto jekyll hugo guice dagger ember backbone puma pillow'.split(
    ' ',
  ),
)

/** Several words, or other spellings, of one package. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'next.js': 'next',
    nextjs: 'next',
    'vue.js': 'vue',
    'nuxt.js': 'nuxt',
    'express.js': 'express',
    'three.js': 'three',
    'd3.js': 'd3',
    'ember.js': 'ember',
    'chart.js': 'chart.js',
    'socket.io': 'socket.io',
    tailwind: 'tailwindcss',
    springboot: 'spring-boot',
    scikit: 'scikit-learn',
  }),
)
const PHRASES: readonly (readonly [first: string, rest: string, name: string])[] = [
  ['spring', ' boot', 'spring-boot'],
  ['react', ' query', 'react-query'],
  ['react', ' router', 'react-router'],
  ['react', ' native', 'react-native'],
  ['react', ' hook form', 'react-hook-form'],
  ['entity', ' framework', 'entityframework'],
  ['styled', ' components', 'styled-components'],
  ['testing', ' library', 'testing-library'],
  ['material', ' ui', 'material-ui'],
  ['tailwind', ' css', 'tailwindcss'],
  ['ruby', ' on rails', 'rails'],
  ['scikit', ' learn', 'scikit-learn'],
]

const clear = new Set(CLEAR.split(/\s+/).filter(word => word !== ''))
const proper = new Set(PROPER.split(/\s+/).filter(word => word !== ''))
const phrasesByFirst = new Map<string, (readonly [rest: string, name: string])[]>()
for (const [first, rest, name] of PHRASES) {
  phrasesByFirst.set(first, [...(phrasesByFirst.get(first) ?? []), [rest, name]])
}

/** Plain lower-case words that need a closer check. */
export const PACKAGE_WORDS: readonly string[] = [...clear, ...proper, ...SPELLINGS.keys()]

interface PackageWord {
  readonly word: string
  readonly lower: string
  readonly end: number
  readonly startsSentence: boolean
  /** The word is alone in backticks or quotes. */
  readonly isQuoted: boolean
}

/** The package that a word of prose names, if it is a well-known one. */
export function packageAt(text: string, { word, lower, end, startsSentence, isQuoted }: PackageWord) {
  for (const [rest, name] of phrasesByFirst.get(lower) ?? []) {
    const next = text.slice(end, end + rest.length)
    if (next.toLowerCase() === rest && word[0] !== lower[0]) return { name, end: end + rest.length }
  }
  const spelling = SPELLINGS.get(lower)
  if (spelling !== undefined) return { name: spelling, end }
  if (clear.has(lower)) return { name: lower, end }
  if (!proper.has(lower)) return undefined
  const isCapital = word[0] !== lower[0] && PROPER_CAPITAL.has(lower) && !startsSentence
  const isMeant =
    isQuoted ||
    isCapital ||
    VERSION_BEHIND.test(text.slice(end, end + 8)) ||
    isExchanged(text, end - word.length, end)
  return isMeant ? { name: lower, end } : undefined
}

const EXCHANGE =
  /\b(?:replac|swap|switch|migrat|troc|substitu)\w*\b[^.;\n]{0,40}?(?:^|\s)(?:from|to|with|by|for|o|pelo|por|para|do)?\s?$|\b(?:replac|swap|troc|substitu)\w*\s$/i
const AFTER_EXCHANGE =
  /^(?:$|[.,;:)\n]| (?:with|by|to|for|in|on|because|and|everywhere|por|pelo|pela|para|e|no|na|em|porque)\b)/

/** `replaced moment with date-fns`: what replaces or is replaced is a thing, not an everyday word. */
function isExchanged(text: string, start: number, end: number): boolean {
  return (
    AFTER_EXCHANGE.test(text.slice(end, end + 12)) &&
    EXCHANGE.test(text.slice(Math.max(0, start - 60), start))
  )
}

const VERSION_BEHIND = /^ v?\d+(?:\.\d+|\b(?! ?(?:%|ms|s|KB|MB|GB|times|days|hours|minutes)\b))/

export function isPackageName(lower: string): boolean {
  return clear.has(lower) || proper.has(lower) || SPELLINGS.has(lower)
}

/** Modules that are part of a language and are not installed. */
const STANDARD = new Set(
  `std core alloc crate self super os sys re io json time datetime math random typing logging asyncio collections
   itertools functools pathlib subprocess threading unittest dataclasses abc enum copy csv hashlib uuid fs path http https
   url util events stream crypto child_process fmt strings errors context sync testing`
    .split(/\s+/)
    .filter(word => word !== ''),
)
export function isStandardModule(name: string): boolean {
  return STANDARD.has(name)
}
