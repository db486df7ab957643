import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, Script } from 'node:vm'

/**
 * Starts the command line with the code that V8 compiled when the package was built: a cold start then parses nothing.
 * V8 checks the cache against its own version, its flags and the source, and compiles anew when they differ, so a cache
 * of another Node is harmless. It lies beside the code it belongs to and is trusted no more and no less.
 */
const source = `${__dirname}/cli.cjs`
const cache = `${__dirname}/cli.cache`

interface CommandLine {
  main(argv: readonly string[]): Promise<number>
  warmUp(): Promise<void>
}

const script = new Script(readFileSync(source, 'latin1'), {
  filename: source,
  ...(existsSync(cache) && { cachedData: readFileSync(cache) }),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})
const module_ = { exports: {} as CommandLine }
script.runInThisContext()(module_.exports, createRequire(source), module_, source, __dirname)

if (process.env.CAIRN_MAKE_CODE_CACHE === undefined) {
  module_.exports.main(process.argv.slice(2)).then(
    exitCode => {
      process.exitCode = exitCode
    },
    (error: unknown) => {
      // Only a fault of our own gets here: every expected failure is a CairnError, and main has shown it.
      process.stderr.write(`cairn: ${error instanceof Error ? error.stack : String(error)}\n`)
      process.exitCode = 1
    },
  )
} else module_.exports.warmUp().then(() => writeFileSync(cache, script.createCachedData()))
