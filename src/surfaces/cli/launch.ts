import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Script } from 'node:vm'

/**
 * Starts the command line with the code that V8 compiled when the package was built: a cold start then parses nothing.
 * V8 checks the cache against its own version, its flags and the source, and compiles anew when they differ, so a cache
 * of another Node is harmless. It lies beside the code it belongs to and is trusted no more and no less.
 *
 * The command line is there five times: whole, and as what a search, a brief, a question about a workspace or a look at the memory's
 * health needs when nothing has changed since the last. The server for agents is a sixth, with the SDK in it; what hosts call at every
 * prompt is a seventh, and the server with the page an eighth. Code that is not loaded costs nothing.
 */
interface CommandLine {
  main(argv: readonly string[]): Promise<number>
  warmUp(): Promise<void>
}

/** How the build asks for a cache instead of running a command: `--make-code-cache look`. */
const MAKE_CACHE = '--make-code-cache'
/** Which bundle has a verb; every other verb is in the whole command line. */
const BUNDLES: Readonly<Record<string, string>> = {
  search: 'look',
  '--version': 'look',
  '-V': 'look',
  brief: 'tell',
  retrieve: 'ask',
  mcp: 'mcp',
  hook: 'hook',
  up: 'up',
  validate: 'check',
  status: 'check',
}

/**
 * What V8 does without in questions that go over thousands of files once and end after a tenth of a second: code that it would
 * optimise does not pay any more, and collecting garbage in several threads takes more of the processor than it saves of the clock.
 */
const DONE_WITHOUT = ['opt', 'parallel-scavenge', 'concurrent-marking', 'concurrent-sweeping']
const BRIEFEST: ReadonlySet<string> = new Set(['ask', 'check'])

const BEFORE_A_VERB = /^--(?:json|color|no-color|root|root=.*)$/s
const argv = flagsBehindUp(process.argv.slice(2))
const making = argv[0] === MAKE_CACHE ? argv[1] : undefined

/**
 * The flags that every verb takes may stand before it. The whole command line knows that, but the server is in its own bundle alone:
 *
 *   --json --root ~/code/api up --port 0   ->   up --json --root ~/code/api --port 0
 */
function flagsBehindUp(words: readonly string[]): readonly string[] {
  let at = 0
  while (BEFORE_A_VERB.test(words[at] ?? '')) at += words[at] === '--root' ? 2 : 1
  return at > 0 && words[at] === 'up' ? ['up', ...words.slice(0, at), ...words.slice(at + 1)] : words
}

function doWithout(isWithout: boolean): void {
  for (const name of DONE_WITHOUT) setFlag(isWithout ? `no-${name}` : name)
}

function setFlag(name: string): void {
  // Loaded only where it is used: every start would pay for it.
  const { setFlagsFromString } = require('node:v8') as typeof import('node:v8')
  setFlagsFromString(`--${name}`)
}

function load(bundle: string): { commandLine: CommandLine; makeCache: () => void } {
  const source = `${__dirname}/${bundle}/cairn.cjs`
  const cache = `${source}.cache`
  if (BRIEFEST.has(bundle)) doWithout(true)
  // It has one byte a character (build.mjs), and need not be looked through for longer ones.
  const script = new Script(readFileSync(source, 'latin1'), {
    // Not its path: the cache would carry that of the machine it was built on.
    filename: `cairn-${bundle}`,
    ...(existsSync(cache) && { cachedData: readFileSync(cache) }),
  })
  const module_ = { exports: {} as CommandLine }
  // Code that comes from a cache cannot `import()` by itself.
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
    // Something has changed since the last look, or help was asked for. Nothing was printed or written yet.
    if (!(error instanceof Error && 'handOver' in error)) throw error
    // The cache of the whole was made with them.
    if (BRIEFEST.has(bundle)) doWithout(false)
    return load('all').commandLine.main(argv)
  }
}

if (making === undefined) {
  run().then(
    exitCode => {
      process.exitCode = exitCode
    },
    (error: unknown) => {
      // A host takes what a hook prints, and its exit code, for an answer: it hears of nothing else.
      if (argv[0] === 'hook') return
      // Only a fault of our own gets here: every expected failure is a CairnError, and main has shown it.
      process.stderr.write(`cairn: ${error instanceof Error ? error.stack : String(error)}\n`)
      // To git, 1 of a merge driver would say that the file is merged but for its conflicts; above 128 the merge has failed.
      process.exitCode = argv[0] === 'merge-driver' ? 129 : 1
    },
  )
} else {
  // V8 throws code away that has not run for a while, the outermost first, and would leave it out of the cache: every start would parse all.
  setFlag('no-flush-bytecode')
  const { commandLine, makeCache } = load(making)
  void commandLine.warmUp().then(() => {
    // The cache names the flags it was made with.
    setFlag('flush-bytecode')
    makeCache()
  })
}
