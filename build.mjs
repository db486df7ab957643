// Builds dist/: the library (ESM, with types) and the command line (one CommonJS file with its V8 code cache).
// How a cold start was brought down, and what each step gave, is in docs/adr/0004-cold-start.md.
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { rolldown } from 'rolldown'

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'))

const common = {
  platform: 'node',
  // Loaded where they are installed: a native addon, and a library that few runs need.
  external: [/^node:/, /^@photostructure\//, /^@secretlint\//, 'minisearch'],
  transform: { target: 'node20', define: { CAIRN_VERSION: JSON.stringify(version) } },
  treeshake: { moduleSideEffects: false },
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
}

async function bundle(input, output) {
  const build = await rolldown({ ...common, input })
  await build.write({ dir: 'dist', ...output })
  await build.close()
}

/** A function expression for the launcher, with one byte a character: V8 then takes the source as it lies in the file. */
function wrap(file) {
  const ascii = readFileSync(file, 'utf8').replace(/[^\0-\x7f]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  writeFileSync(file, `(function (exports, require, module, __filename, __dirname) {${ascii}\n})`)
}

rmSync('dist', { recursive: true, force: true })
await bundle({ api: 'src/api.ts', format: 'src/format.ts' }, { format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' })
await bundle(
  { cli: 'src/surfaces/cli/cairn.ts' },
  { format: 'cjs', entryFileNames: '[name].cjs', minify: process.env.CAIRN_PROFILE === undefined, codeSplitting: false },
)
wrap('dist/cli.cjs')
await bundle({ cairn: 'src/surfaces/cli/launch.ts' }, { format: 'cjs', entryFileNames: '[name].cjs', minify: true, banner: '#!/usr/bin/env node' })
chmodSync('dist/cairn.cjs', 0o755)
// A run of the common paths, whose compiled functions become the cache.
execFileSync(process.execPath, ['dist/cairn.cjs'], { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, CAIRN_MAKE_CODE_CACHE: '1' } })
const tsc = createRequire(import.meta.url).resolve('typescript/package.json').replace('package.json', 'bin/tsc')
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json'], { stdio: 'inherit' })
