// Builds dist/: the library (ESM, with types), the command line (one CommonJS file: a cold start costs 5 ms less than
// as modules), and the tools that the repository itself runs.
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'))
const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  legalComments: 'none',
  define: { CAIRN_VERSION: JSON.stringify(version) },
  // Loaded where they are installed: a native addon, and a library that few runs need.
  external: ['@photostructure/sqlite', '@secretlint/*', 'esbuild', 'minisearch'],
}

rmSync('dist', { recursive: true, force: true })
await Promise.all([
  build({ ...common, entryPoints: ['src/api.ts', 'src/format.ts'], outdir: 'dist', format: 'esm', splitting: true, chunkNames: 'chunks/[name]-[hash]' }),
  build({
    ...common,
    entryPoints: { cairn: 'src/surfaces/cli/cairn.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minifyWhitespace: true,
    banner: { js: '#!/usr/bin/env node' },
    // createRequire() takes a path as well as a URL.
    define: { ...common.define, 'import.meta.url': '__filename' },
  }),
])
chmodSync('dist/cairn.cjs', 0o755)
const tsc = createRequire(import.meta.url).resolve('typescript/package.json').replace('package.json', 'bin/tsc')
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json'], { stdio: 'inherit' })
