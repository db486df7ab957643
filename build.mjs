// Builds dist/: the library (ESM, with types) and the command line (one CommonJS file with its V8 code cache).
// How a cold start was brought down, and what each step gave, is in docs/adr/0004-cold-start.md.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { build as buildPage } from 'vite'
import { buildModel } from './embedding-model/build-model.mjs'
import { buildWorker } from './embedding-model/build-worker.mjs'

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'))

const common = {
  platform: 'node',
  // Loaded where they are installed: a native addon, and a library that few runs need.
  external: [
    /^node:/,
    /^@photostructure\//,
    /^@secretlint\//,
    /^@lat\.md\//,
    /^gpt-tokenizer\//,
    'minisearch',
    'playwright-core',
    // Only a hub has it.
    'pg',
  ],
  // Its main file asks for its parts in a way that no bundler sees.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  transform: { target: 'node20', define: { CAIRN_VERSION: JSON.stringify(version) } },
  treeshake: { moduleSideEffects: false },
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
}

/**
 * For a bundle of a few verbs: it includes what they need; an import of anything else hands over to the whole command line
 * (launch.ts runs the same command again with that).
 */
const HAND_OVER = '\0hand-over'
const handOver = held => ({
  name: 'hand-over',
  resolveDynamicImport(specifier) {
    const isElsewhere =
      typeof specifier === 'string' &&
      specifier.startsWith('.') &&
      !held.some(name => specifier.endsWith(`/${name}.ts`))
    return isElsewhere ? { id: HAND_OVER } : null
  },
  load(id) {
    if (id !== HAND_OVER) return null
    return {
      code: "throw Object.assign(new Error('not in this bundle'), { handOver: true })",
      moduleSideEffects: true,
    }
  },
})

/**
 * For a CommonJS bundle: `import * as fs` is the module itself. The bundler would copy its hundred names, for 0.4 ms of a cold start.
 * And a module of Node that only code loaded on demand imports is loaded with that, not at the start.
 */
const plainBuiltIns = {
  name: 'plain-built-ins',
  transform(code, id) {
    // One file holds a program as text, which is written as it stands.
    if (!id.endsWith('.ts') || id.endsWith('/opencode/plugin.ts')) return null
    return code
      .replace(/^import \* as (\w+) from ('node:[\w/]+')$/gm, 'const $1 = require($2)')
      .replace(/^import \{([^}]*)\} from ('node:[\w/]+')$/gm, (_, names, from) => {
        const taken = names.split(',').filter(name => !/^\s*(?:type\s|$)/.test(name))
        return `const {${taken.join(',').replace(/ as /g, ': ')}} = require(${from})`
      })
  },
}

/** What each file of a memory is for is printed in the reference alone: every start would pay for the texts. */
const noDescriptions = {
  name: 'no-descriptions',
  transform(code, id) {
    if (!id.endsWith('/kernel/layout.ts')) return null
    const rows = /\b(committed|ignored)\((\s*'[^']*',\s*)'[^']*'/g
    if ((code.match(rows)?.length ?? 0) < 50) throw new Error('the rows of layout.ts have another form')
    return code.replace(rows, "$1($2''")
  },
}

/** The server for agents asks its clients nothing, so it checks none of their forms: a third of its code would be for that. */
const noFormChecks = {
  name: 'no-form-checks',
  resolveId: id => (id === '@modelcontextprotocol/server/_shims' ? '\0no-form-checks' : null),
  load: id =>
    id === '\0no-form-checks'
      ? `export const process = globalThis.process
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('forms of clients are not checked here') }
}`
      : null,
}

/**
 * The SDK makes a schema for every type of the protocol when it is loaded, most of which only its public exports use. Marked as free of
 * effects, those that nothing here uses are left out: a fifth of the time that a server takes to start.
 */
const onlyUsedSchemas = {
  name: 'only-used-schemas',
  transform(code, id) {
    if (/@modelcontextprotocol.server.dist.src-[\w-]+\.mjs$/.test(id)) {
      const registered =
        /^for \(const (?:key of SPEC_SCHEMA_KEYS|\[key, schema\] of Object\.entries\(authSchemas\))\) register\(.*\);$/gm
      if (code.match(registered)?.length !== 2)
        throw new Error('the SDK registers its schemas elsewhere by now')
      return code.replace(registered, '')
    }
    if (!/@modelcontextprotocol.core.dist.[\w-]+\.mjs$/.test(id)) return null
    let marked = ''
    let at = 0
    const made = this.parse(code).body.flatMap(statement =>
      statement.type === 'VariableDeclaration' ? statement.declarations.map(({ init }) => init) : [],
    )
    for (const init of made) {
      if (init?.type !== 'CallExpression') continue
      marked += `${code.slice(at, init.start)}/* @__PURE__ */ (() => ${code.slice(init.start, init.end)})()`
      at = init.end
    }
    return marked + code.slice(at)
  },
}

/** Zod would compile a function for every schema when it is first used: a server that is asked a few things a minute never has it back. */
const PARSE_PLAINLY = 'globalThis.__zod_globalConfig={jitless:true};'

async function bundle(input, output, plugins = []) {
  const build = await rolldown({ ...common, input, plugins })
  await build.write({ dir: 'dist', ...output })
  await build.close()
}

/**
 * A function expression for the launcher, with one byte a character: V8 then takes the source as it lies in the file.
 * A script that comes from the code cache cannot `import()`, so what is loaded at run time goes through the launcher.
 */
function wrap(file) {
  const ascii = readFileSync(file, 'utf8').replace(
    /[^\0-\x7f]/g,
    c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const code = ascii
    .replace(/\bimport\((?=["'`](?:node:|@|pg["'`]))/g, 'importLater(')
    // The launcher hands in a `require`; loading the module that makes another costs a cold start 0.7 ms.
    .replace(/\brequire\((["'`])node:module\1\)/g, '({ createRequire: () => require })')
  // It would fail only where it is reached, with ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING.
  if (/\bimport\(/.test(code))
    throw new Error(`${file} has an import() that does not go through the launcher`)
  writeFileSync(file, `(function (exports, require, module, __filename, __dirname, importLater) {${code}\n})`)
}

/** `node build.mjs up page` makes these parts alone, over what was built before: for whoever works on them. */
const wanted = process.argv.slice(2)
const isWanted = part => wanted.length === 0 || wanted.includes(part)

// The model stays: it is made anew when what it is made from has changed, and takes the longest.
for (const name of existsSync('dist') && wanted.length === 0 ? readdirSync('dist') : []) {
  if (name !== 'model') rmSync(`dist/${name}`, { recursive: true, force: true })
}
if (wanted.length === 0) {
  rmSync('dist-bench', { recursive: true, force: true })
  await buildModel('dist/model')
  await buildWorker('dist/embed-worker.js')
  await bundle(
    { api: 'src/api.ts', format: 'src/format.ts' },
    { format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' },
  )
}
const commandLine = {
  format: 'cjs',
  entryFileNames: 'cairn.cjs',
  minify: process.env.CAIRN_PROFILE === undefined,
}
const held = {
  search: [
    'safe-names',
    'built-in-embedder',
    'anchoring',
    'project-files',
    'sqlite-anchors',
    'sqlite-conflicts',
    'workspace-folder',
  ],
  brief: [
    'built-in-embedder',
    'redact',
    'sqlite-briefs',
    'sqlite-conflicts',
    'sqlite-findings',
    'sqlite-graph',
    'anchoring',
    'project-files',
    'sqlite-anchors',
    'workspace-folder',
  ],
  hook: [
    'answer-hook',
    'built-in-embedder',
    'redact',
    'ask-marks-folder',
    'hook-spool-folder',
    'file-warnings',
    'start-command',
    'sqlite-briefs',
    'sqlite-conflicts',
    'sqlite-findings',
    'sqlite-graph',
    'anchoring',
    'project-files',
    'sqlite-anchors',
    'workspace-folder',
    'may-hold-secret',
  ],
  retrieve: ['workspace-folder', 'redact', 'redaction-options', 'yaml-front-matter'],
  health: [
    'agent-run-folder',
    'allowance-file',
    'archive-folder',
    'ask-marks-folder',
    'compose-model',
    'document-source',
    'event-file',
    'git-index-file',
    'hook-spool-folder',
    'hot-folder',
    'hub-link-folder',
    'index-inspector',
    'memory-files',
    'memory-tree',
    'redact',
    'recovered-sessions',
    'redaction-options',
    'session-folder',
    'sqlite-briefs',
    'sqlite-conflicts',
    'sqlite-findings',
    'sqlite-link-state',
    'sqlite-spend',
    'sqlite-review',
    'sqlite-upkeep',
    'state-folder',
    'user-folder',
    'workspace-folder',
  ],
}
const server = { intro: PARSE_PLAINLY, plugins: [noFormChecks, onlyUsedSchemas] }
/** One command line for each way to start: the whole, what must start fast, and the servers with what they alone need. */
const starts = {
  all: { from: 'cli/cairn' },
  search: { from: 'cli/search-only', plugins: [handOver(held.search)] },
  brief: { from: 'cli/brief-only', plugins: [handOver(held.brief)] },
  retrieve: { from: 'cli/retrieve-only', plugins: [handOver(held.retrieve)] },
  health: { from: 'cli/health-only', plugins: [handOver(held.health)] },
  hook: { from: 'hook/main', plugins: [handOver(held.hook)] },
  mcp: { from: 'mcp/main', ...server },
  up: { from: 'http/main', ...server },
}
const made = Object.keys(starts).filter(isWanted)
for (const name of made) {
  const { from, plugins = [], intro } = starts[name]
  const output = { ...commandLine, dir: `dist/${name}`, codeSplitting: false, ...(intro && { intro }) }
  await bundle({ cairn: `src/surfaces/${from}.ts` }, output, [plainBuiltIns, noDescriptions, ...plugins])
  wrap(`dist/${name}/cairn.cjs`)
}
await bundle(
  { cairn: 'src/surfaces/cli/launch.ts' },
  { ...commandLine, minify: true, banner: '#!/usr/bin/env node' },
)
chmodSync('dist/cairn.cjs', 0o755)
// The page, and each of its files as a browser gets it: compressed once, here. The server is walked with it below.
if (isWanted('page')) {
  await buildPage({ configFile: 'web/vite.config.ts', logLevel: 'warn' })
  for (const name of readdirSync('dist/web', { recursive: true })) {
    if (!/\.(?:html|js|css|svg|json)$/.test(name)) continue
    const file = `dist/web/${name}`
    const whole = readFileSync(file)
    const packed = { br: brotliCompressSync(whole), gz: gzipSync(whole, { level: 9 }) }
    for (const [end, bytes] of Object.entries(packed))
      if (bytes.length < whole.length) writeFileSync(`${file}.${end}`, bytes)
  }
}
// A run of the common paths, whose compiled functions become the cache.
for (const name of made) {
  rmSync(`dist/${name}/cairn.cjs.cache`, { force: true })
  execFileSync(process.execPath, ['dist/cairn.cjs', '--make-code-cache', name], {
    // Its notes are about a scratch memory. Where it fails, the error has them.
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (!existsSync(`dist/${name}/cairn.cjs.cache`)) throw new Error(`dist/${name} got no code cache`)
}
if (isWanted('bench')) {
  // The benches. They load what was built above at run time, as a user would; a hub's database is filled by the store's own code.
  await bundle(
    {
      bench: 'bench/main.ts',
      writer: 'bench/concurrent-writer.ts',
      'embed-once': 'bench/embed-once.ts',
      'hub-fill': 'bench/hub-fill.ts',
      'work-worker': 'bench/work-worker.ts',
      'sync-hub': 'bench/sync-hub.ts',
    },
    {
      dir: 'dist-bench',
      format: 'esm',
      chunkFileNames: '[name].js',
    },
  )
}
if (wanted.length === 0) {
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace('package.json', 'bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json'], { stdio: 'inherit' })
}
