import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connectionsOf } from '../connections.ts'
import { commandName } from './commands.ts'
import { filePathOf, isConfigurationFile } from './file-name.ts'
import { distinctEntities, findMentions } from './find-entities.ts'
import { findRelations } from './find-relations.ts'

const namesIn = (text: string) =>
  distinctEntities(findMentions(text)).map(({ type, name }) => `${type}:${name}`)

describe('entities', () => {
  it.each<[text: string, entities: string[]]>([
    ['Edit src/auth/session.ts:42 and `./lib\\win.cs`.', ['file:src/auth/session.ts', 'file:lib/win.cs']],
    [
      'Globs: src/**/*.test.ts, *.mdx and app/[id]/page.tsx',
      ['file:src/**/*.test.ts', 'file:*.mdx', 'file:app/[id]/page.tsx'],
    ],
    ['The Dockerfile, .env.local and go.mod stay.', ['file:Dockerfile', 'file:.env.local', 'file:go.mod']],
    ['read/write and and/or, client/server, 24/7, n/a', []],
    ['console.log(x), items.map(f), process.env.X, e.g. this, v1.2.3', []],
    ['GET /api/users and /health', []],
    ['`npm run build -- --fast`, then $ ls', ['command:npm run build']],
    ['Use `npx @biomejs/biome check`.', ['command:npx @biomejs/biome', 'package:@biomejs/biome']],
    ['$ docker compose up -d', ['command:docker compose up']],
    ['```sh\ncargo test --all\n```', ['command:cargo test']],
    ['`foo` and `some value` are no commands', []],
    ['import { z } from "zod"; const s = require(\'sharp\')', ['package:zod', 'package:sharp']],
    ['from fastapi import FastAPI', ['package:fastapi']],
    ['pin left-pad@1.3.0 and celery==5.3', ['package:left-pad', 'package:celery']],
    ['tokio::spawn, but std::mem and self::x are ours', ['package:tokio']],
    [
      'io.netty:netty-all:4.1 and github.com/jackc/pgx/v5',
      ['package:io.netty:netty-all', 'package:github.com/jackc/pgx/v5'],
    ],
    ['what happens next, a sharp edge, we express requests', []],
    ['`yarn add left-pad right-pad`', ['command:yarn add', 'package:left-pad', 'package:right-pad']],
    ['Postgres, PostgreSQL and postgres are one', ['service:postgresql']],
    ['GitHub Actions calls AWS Lambda', ['service:github actions', 'service:aws lambda']],
    ['The bank vault is closed; we keep keys in Vault', ['service:vault']],
    ['STRIPE_SECRET_KEY and MAX_RETRY_COUNT', ['service:stripe']],
    ['See https://user@search.acme.io:9200/x and http://localhost:3000', ['service:search.acme.io']],
    [
      'Ana decided it. According to Rui Costa, @lin agreed.',
      ['person:ana', 'person:rui costa', 'person:lin'],
    ],
    ['Segundo a Márcia Lima, o João da Silva aprovou.', ['person:marcia lima', 'person:joao da silva']],
    ['We decided. The team agreed. Nobody asked. Stripe confirmed it.', ['service:stripe']],
    ['@param x, @Injectable() and `@ana` are nobody', []],
    ['@react-pdf/renderer in @Serializable classes', ['package:@react-pdf/renderer']],
    ['Exports in Arabic and Persian wrote localised digits', []],
  ])('of %j', (text, entities) => {
    expect(namesIn(text).sort()).toEqual([...entities].sort())
  })

  it('stand where they say, as they are written', () => {
    const text = 'Postgres is configured in config/db.yml; Ana decided it.'
    for (const mention of findMentions(text)) expect(text.startsWith(mention.text, mention.at)).toBe(true)
  })

  it('take in the list of files of an entry', () => {
    const { entities } = connectionsOf({ content: 'See src/a.ts', files: ['src/a.ts', './src/b.ts'] })
    expect(entities.map(({ name, at }) => [name, at])).toEqual([
      ['src/a.ts', 4],
      ['src/b.ts', -1],
    ])
  })

  it.each([
    ['sudo FOO=1 npm run build', 'npm run build'],
    ['git bisect run ./x', 'git bisect'],
    ['python -m pytest -q', 'python -m pytest'],
    ['./scripts/check.sh --all', './scripts/check.sh'],
    ['gh pr create', 'gh pr create'],
    ['npm', undefined],
    ['hello world', undefined],
  ])('the command of %j is %j', (line, name) => {
    expect(commandName(line)?.name).toBe(name)
  })

  it('know a path from a word', () => {
    expect(
      ['src/jobs', 'lib/pq', 'a//b.ts', 'Node.js', '/etc/nginx/nginx.conf', 'docs/'].map(filePathOf),
    ).toEqual(['src/jobs', undefined, undefined, undefined, '/etc/nginx/nginx.conf', undefined])
    expect(['biome.json', 'vite.config.ts', 'src/a.ts', 'Dockerfile'].map(isConfigurationFile)).toEqual([
      true,
      true,
      false,
      true,
    ])
  })
})

describe('relations', () => {
  const stated = (text: string) =>
    findRelations(text, findMentions(text)).map(
      ({ from, relation, to }) => `${from.name} ${relation} ${to.name}`,
    )

  it.each<[text: string, relations: string[]]>([
    ['We moved from Memcached to Redis.', ['redis replaces memcached']],
    ['Replaced webpack with esbuild.', ['esbuild replaces webpack']],
    ['Use vitest instead of jest.', ['vitest replaces jest']],
    ['Trocamos o axios pelo fastify.', ['fastify replaces axios']],
    ['src/queue.ts uses bullmq.', ['src/queue.ts uses bullmq']],
    ['fastapi depends on pydantic.', ['fastapi depends_on pydantic']],
    ['Ana decided to use Kafka.', ['kafka decided_by ana']],
    ['Ana decided not to use Kafka.', []],
    ['db/schema.sql is owned by @rui.', ['db/schema.sql owned_by rui']],
    ['Redis is configured in config/redis.yml.', ['redis configured_in config/redis.yml']],
    ['A configuração do RabbitMQ está em infra/rabbit.conf.', ['rabbitmq configured_in infra/rabbit.conf']],
    ['`npm run build` fails with esbuild.', ['npm run build fails_with esbuild']],
    ['`npm run build` was broken, fixed by upgrading esbuild.', ['npm run build fixed_by esbuild']],
    ['crates/sst was renamed to crates/table.', ['crates/table replaces crates/sst']],
    ['Redis and Kafka are both here.', []],
  ])('of %j', (text, relations) => {
    expect(stated(text)).toEqual(relations)
  })
})

describe('hostile text', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty.constructor', 'CONSTRUCTOR_URL'])(
    'takes %s for a word like any other',
    word => {
      expect(() =>
        connectionsOf({ files: [], content: `uses ${word} and \`${word} run\` from https://${word}/x` }),
      ).not.toThrow()
    },
  )

  it('never throws, and keeps every bound', () => {
    const piece = fc.constantFrom(
      ...[
        '`',
        '@a/b',
        'src/',
        'a.ts',
        ' ',
        '\n',
        '```sh\n',
        '$ npm i x',
        'Ana decided',
        '::',
        '://',
        'A_B=',
        '[[',
        '\0',
        '\ud800',
        '.',
        '/',
      ],
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 80 }), pieces => {
        const { entities, relations } = connectionsOf({ content: pieces.join(''), files: [] })
        expect(entities.length).toBeLessThanOrEqual(64)
        expect(relations.length).toBeLessThanOrEqual(64)
        for (const { name, text } of entities)
          expect(Math.max(name.length, text.length)).toBeLessThanOrEqual(200)
      }),
    )
  })

  it.each([
    '[[',
    '`',
    'a/',
    'a.',
    '../',
    '@a',
    '@a/',
    'Ana ',
    'Ana decided ',
    '$ npm i a\n',
    '`npm run a` ',
    'Redis over ',
    'from "a" ',
    ' = ',
    '::',
    'http://',
    'A_',
    '*',
    'x'.repeat(300),
    'replaced ',
    'Ab Ab ',
    'by A',
    '\\',
    'a-b.',
    '```\n',
    'é',
  ])('takes 64 KB of %j in no time', piece => {
    const content = piece.repeat(Math.ceil(65_536 / piece.length))
    const start = performance.now()
    connectionsOf({ content, files: [] })
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
