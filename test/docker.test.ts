import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { OWN_COMMANDS } from '../src/surfaces/cli/own-commands.ts'
import { readOptions } from '../src/surfaces/http/options.ts'

const at = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const read = (name: string) => readFileSync(at(name), 'utf8')

interface Instruction {
  readonly word: string
  readonly rest: string
}

/** The instructions of a Dockerfile, each with its continued lines. */
function instructions(text: string): Instruction[] {
  return text
    .split('\n')
    .filter(line => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .map(line => {
      const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
      return { word, rest }
    })
}

const dockerfile = instructions(read('Dockerfile'))
const of = (word: string) => dockerfile.filter(each => each.word === word).map(({ rest }) => rest)
const packaged = JSON.parse(read('package.json')) as {
  engines: { node: string }
  optionalDependencies: Record<string, string>
  files: string[]
}

interface Compose {
  readonly services: Record<
    string,
    {
      readonly image?: string
      readonly build?: string
      readonly command?: readonly string[]
      readonly ports?: readonly string[]
      readonly environment?: Record<string, string>
      readonly secrets?: readonly string[]
      readonly depends_on?: Record<string, { readonly condition: string }>
      readonly healthcheck?: { readonly test: readonly string[] }
      readonly restart?: string
      readonly volumes?: readonly string[]
      readonly read_only?: boolean
    }
  >
  readonly secrets: Record<string, { readonly file: string }>
  readonly volumes: Record<string, unknown>
}
const compose = parse(read('compose.yaml')) as Compose

// The image itself is not built here: there is no Docker. What it is made of is looked at instead.
describe('the Dockerfile', () => {
  it('has only instructions that there are, and copies files that are there', () => {
    const known = 'FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK STOPSIGNAL ENTRYPOINT CMD'.split(
      ' ',
    )
    expect(dockerfile.filter(({ word }) => !known.includes(word))).toEqual([])
    const ignored = read('.dockerignore').split('\n').filter(Boolean)
    for (const rest of of('COPY')) {
      const words = rest.split(' ')
      if (words[0]?.startsWith('--from=')) continue
      for (const name of words.slice(0, -1)) {
        expect(existsSync(at(name)), name).toBe(true)
        expect(ignored, `${name} is left out by .dockerignore`).not.toContain(name)
      }
    }
  })

  it('runs on a Node that the package takes, as nobody but itself, without what builds it', () => {
    const least = Number(/>=(\d+)/.exec(packaged.engines.node)?.[1])
    for (const rest of of('FROM'))
      expect(Number(/^node:(\d+)-slim/.exec(rest)?.[1])).toBeGreaterThanOrEqual(least)
    expect(of('USER')).toEqual(['node'])
    expect(of('RUN').filter(run => run.includes('--omit=dev'))).toHaveLength(1)
    expect(Object.keys(packaged.optionalDependencies)).toContain('pg')
    const last = dockerfile.slice(dockerfile.findLastIndex(({ word }) => word === 'FROM'))
    expect(last.filter(({ rest }) => /npm|apt-get|COPY \. /.test(rest))).toEqual([])
  })

  it('starts a command that there is, with flags that it takes, and asks it whether it lives', () => {
    const [entry = ''] = of('ENTRYPOINT')
    expect(JSON.parse(entry)).toEqual(['node', '/app/dist/cairn.cjs'])
    const [cmd = ''] = of('CMD')
    const [verb, ...flags] = JSON.parse(cmd) as string[]
    expect(OWN_COMMANDS.map(({ name }) => name)).toContain(verb)
    expect(readOptions(flags)).toMatchObject({
      host: '0.0.0.0',
      port: 4747,
      isBehindTls: true,
      isOpened: false,
      log: { format: 'json', level: 'info' },
      drainSeconds: 5,
    })
    const [check = ''] = of('HEALTHCHECK')
    const [program = '', ...words] = JSON.parse(
      check.slice(check.indexOf('[', check.indexOf('CMD'))),
    ) as string[]
    expect(program).toBe('node')
    // Nobody listens there: it says so, by its exit code.
    const run = spawnSync(
      process.execPath,
      words.map(word => word.replace('4747', '1')),
    )
    expect([run.status, run.stderr.toString()]).toEqual([1, ''])
  })
})

describe('compose.yaml', () => {
  it('has a PostgreSQL with pgvector and a hub that waits for it, on this machine alone', () => {
    expect(Object.keys(compose.services)).toEqual(['postgres', 'hub'])
    const { postgres, hub } = compose.services
    expect(postgres?.image).toMatch(/^pgvector\/pgvector:pg\d+$/)
    expect(postgres?.healthcheck?.test.join(' ')).toContain('pg_isready')
    expect(hub?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    expect(hub?.ports).toEqual(['127.0.0.1:4747:4747'])
    expect(postgres?.ports).toBeUndefined()
    expect([postgres?.restart, hub?.restart]).toEqual(['unless-stopped', 'unless-stopped'])
    expect(hub?.read_only).toBe(true)
    for (const service of [postgres, hub])
      for (const volume of service?.volumes ?? [])
        expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
  })

  it('has its password in a file that is never committed, and starts what there is', () => {
    for (const { file } of Object.values(compose.secrets)) {
      expect(file).toMatch(/^\.\/secrets\//)
      expect(read('.gitignore').split('\n')).toContain('/secrets/')
    }
    expect(read('compose.yaml')).not.toMatch(/PASSWORD: /)
    const [verb, ...flags] = compose.services.hub?.command ?? []
    expect(verb).toBe('up')
    const options = readOptions(flags)
    expect(options.storeFile).toBe('/run/secrets/store-address')
    expect(options.drainSeconds).toBe(5)
  })
})
