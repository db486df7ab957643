import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Script } from 'node:vm'

/**
 * Starts the command line with code that V8 compiled when the package was built, so a cold start parses nothing. V8 checks the cache
 * against its own version, its flags and the source, and compiles again if they differ, so a cache from another Node is harmless. It is
 * next to its code and equally trusted. There are eight bundles: the whole command line; four with only what a search, a brief, a
 * workspace query or a health check needs if nothing changed since the last one; the MCP server with the SDK; the hooks, which run at
 * every prompt; and the server of the page. Code that is not loaded costs nothing.
 */
interface CommandLine {
  main(argv: readonly string[]): Promise<number>
  warmUp(): Promise<void>
}

/** How the build asks for a cache instead of running a command: `--make-code-cache search`. */
const MAKE_CACHE = '--make-code-cache'
/** The bundle of a command; all others are in the whole command line. */
const BUNDLES: Readonly<Record<string, string>> = {
  search: 'search',
  '--version': 'search',
  '-V': 'search',
  brief: 'brief',
  retrieve: 'retrieve',
  mcp: 'mcp',
  hook: 'hook',
  up: 'up',
  validate: 'health',
  status: 'health',
}

/**
 * Turned off in V8 for bundles that read thousands of files once and end after a tenth of a second: optimising code does not pay off in
 * that time, and parallel garbage collection costs more processor time than it saves.
 */
const TURNED_OFF = ['opt', 'parallel-scavenge', 'concurrent-marking', 'concurrent-sweeping']
const SHORT_LIVED: ReadonlySet<string> = new Set(['retrieve', 'health'])

const BEFORE_A_VERB = /^--(?:json|color|no-color|root|root=.*)$/s
const argv = flagsAfterUp(process.argv.slice(2))
const making = argv[0] === MAKE_CACHE ? argv[1] : undefined

/**
 * The flags that every verb takes may come before it. The whole command line handles that, but the server is only in its own bundle:
 *
 *   --json --root ~/code/api up --port 0   ->   up --json --root ~/code/api --port 0
 */
function flagsAfterUp(words: readonly string[]): readonly string[] {
  let at = 0
  while (BEFORE_A_VERB.test(words[at] ?? '')) at += words[at] === '--root' ? 2 : 1
  return at > 0 && words[at] === 'up' ? ['up', ...words.slice(0, at), ...words.slice(at + 1)] : words
}

function turnOff(isOff: boolean): void {
  for (const name of TURNED_OFF) setFlag(isOff ? `no-${name}` : name)
}

function setFlag(name: string): void {
  // Loaded only when it is used: it slows every start.
  const { setFlagsFromString } = require('node:v8') as typeof import('node:v8')
  setFlagsFromString(`--${name}`)
}

function load(bundle: string): { commandLine: CommandLine; makeCache: () => void } {
  const source = `${__dirname}/${bundle}/cairn.cjs`
  const cache = `${source}.cache`
  if (SHORT_LIVED.has(bundle)) turnOff(true)
  // It has one byte per character (build.mjs): V8 need not search for longer ones.
  const script = new Script(readFileSync(source, 'latin1'), {
    // Not its path, because the cache would contain that of the build machine.
    filename: `cairn-${bundle}`,
    ...(existsSync(cache) && { cachedData: readFileSync(cache) }),
  })
  const module_ = { exports: {} as CommandLine }
  // Code from a cache cannot call `import()`.
  const importLater = (specifier: string) => import(specifier)
  script.runInThisContext()(module_.exports, require, module_, source, `${__dirname}/${bundle}`, importLater)
  return { commandLine: module_.exports, makeCache: () => writeFileSync(cache, script.createCachedData()) }
}

async function run(): Promise<number> {
  const bundle = Object.hasOwn(BUNDLES, argv[0] ?? '') ? BUNDLES[argv[0] ?? ''] : undefined
  if (bundle === undefined) return load('all').commandLine.main(argv)
  try {
    return await load(bundle).commandLine.main(argv)
  } catch (error) {
    // Something changed since the last run, or help was requested. Nothing was printed or written before this point.
    if (!(error instanceof Error && 'handOver' in error)) throw error
    // The code cache of the whole command line was made without these flags.
    if (SHORT_LIVED.has(bundle)) turnOff(false)
    return load('all').commandLine.main(argv)
  }
}

if (making === undefined) {
  run().then(
    exitCode => {
      process.exitCode = exitCode
    },
    (error: unknown) => {
      // A host reads the output and the exit code of a hook as its answer: print nothing else.
      if (argv[0] === 'hook') return
      // Only a defect of Cairn gets here: every expected failure is a CairnError, which main shows.
      process.stderr.write(`cairn: ${error instanceof Error ? error.stack : String(error)}\n`)
      // For git, exit code 1 of a merge driver means merged with conflicts; above 128 the merge failed.
      process.exitCode = argv[0] === 'merge-driver' ? 129 : 1
    },
  )
} else {
  // V8 discards code that has not run for a while, the outermost first, and would leave it out of the cache.
  setFlag('no-flush-bytecode')
  const { commandLine, makeCache } = load(making)
  void commandLine.warmUp().then(() => {
    // The cache records the flags it was made with.
    setFlag('flush-bytecode')
    makeCache()
  })
}
