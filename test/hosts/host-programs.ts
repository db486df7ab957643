import { existsSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'

interface Package {
  readonly name: string
  readonly package: string
  readonly version: string
  readonly program: string
  readonly native?: boolean
  readonly host?: boolean
}

/** A published program as `install-hosts.mjs` put it into the cache, or why it is not there. */
export type CachedPackage =
  | {
      readonly kind: 'ready'
      readonly name: string
      readonly version: string
      /** The folder of the package itself. */
      readonly folder: string
      /** What starts it: a program and its first words. */
      readonly command: readonly [string, ...string[]]
    }
  | { readonly kind: 'absent'; readonly name: string; readonly reason: string }

const HERE = path.dirname(fileURLToPath(import.meta.url))
const PACKAGES = JSON.parse(readFileSync(path.join(HERE, 'packages.json'), 'utf8')) as readonly Package[]

export const HOSTS_CACHE = path.resolve(
  process.env.CAIRN_HOSTS_CACHE || path.join(HERE, '../../node_modules/.cache/cairn-hosts'),
)

/** `claude-code`, `codex`, `gemini`, `opencode`, `copilot`, `inspector`, `conformance`, `server-memory`, `claude-mem`, `bun`. */
export function cachedPackage(name: string): CachedPackage {
  const wanted = PACKAGES.find(each => each.name === name)
  if (!wanted) throw new Error(`test/hosts/packages.json has no ${name}.`)
  const own = path.join(HOSTS_CACHE, `${name}-${wanted.version}`)
  const folder = [own, HOSTS_CACHE]
    .map(place => path.join(place, 'node_modules', wanted.package))
    .find(place => versionIn(place) === wanted.version)
  if (folder === undefined) return { kind: 'absent', name, reason: reasonOf(`${own}.failure`, wanted) }
  const program = path.join(folder, wanted.program)
  return {
    kind: 'ready',
    name,
    version: wanted.version,
    folder,
    command: wanted.native ? [program] : [process.execPath, program],
  }
}

/** The same for a host, which a run of the tests may also have left out. */
export function hostProgram(name: string): CachedPackage {
  const asked = (process.env.CAIRN_TEST_HOSTS ?? '').split(',').filter(Boolean)
  if (asked.length > 0 && !asked.includes(name)) return { kind: 'absent', name, reason: 'not asked for' }
  return cachedPackage(name)
}

function versionIn(folder: string): string | undefined {
  const manifest = path.join(folder, 'package.json')
  if (!existsSync(manifest)) return undefined
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

function reasonOf(failure: string, wanted: Package): string {
  if (existsSync(failure)) return readFileSync(failure, 'utf8')
  return `${wanted.package}@${wanted.version} is not installed: run node test/hosts/install-hosts.mjs ${wanted.name}`
}
