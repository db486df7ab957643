// `npm run trace -- remember`: the files of src in which a function runs during one command, by V8 coverage of a build of single files.
// Without a word: every walk below. With --files: their names.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BUILT = path.join(ROOT, 'dist-trace')
const DECISION = 'We stream by SSE, not WebSockets: the proxy drops idle sockets.'
const say = (role, text) => ['session', 'append', 's1', '--agent', 'dev', '--role', role, '--text', text]

/** What is done before, and what is traced: an entry point with its words; `input` on standard input, `get` asked of a server. */
const WALKS = {
  remember: { entry: 'cli/cairn', words: ['remember', DECISION] },
  hook: {
    before: [['init', '--yes', '--host', 'claude-code'], ['remember', DECISION], ['embed']],
    entry: 'hook/main',
    words: ['hook', 'claude-code', 'UserPromptSubmit'],
    input: root => JSON.stringify({ session_id: 's1', cwd: root, prompt: 'Why no web sockets?' }),
  },
  close: {
    before: [
      ['session', 'start', '--session', 's1', '--agent', 'dev'],
      say('user', 'Why is the build slow?'),
      say(
        'agent',
        'The cache is cold. We decided to warm it before every run, because a cold one takes an hour.',
      ),
    ],
    entry: 'cli/cairn',
    words: ['session', 'close', 's1'],
  },
  rest: {
    before: [['remember', DECISION]],
    entry: 'http/main',
    words: ['up', '--no-open', '--json', '--port', '0'],
    get: '/api/search?query=SSE',
  },
}

function build() {
  rmSync(BUILT, { recursive: true, force: true })
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace('package.json', 'bin/tsc')
  const options = [
    '--outDir',
    'dist-trace',
    '--rootDir',
    'src',
    '--noEmit',
    'false',
    '--rewriteRelativeImportExtensions',
  ]
  writeFileSync(
    path.join(ROOT, 'tsconfig.trace.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['src'], exclude: ['**/*.test.ts'] }),
  )
  try {
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.trace.json', ...options], {
      cwd: ROOT,
      stdio: 'inherit',
    })
  } finally {
    rmSync(path.join(ROOT, 'tsconfig.trace.json'))
  }
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  writeFileSync(
    path.join(BUILT, 'run.mjs'),
    `globalThis.CAIRN_VERSION = '${version}'
const [entry, ...words] = process.argv.slice(2)
process.exitCode = await (await import(\`./surfaces/\${entry}.js\`)).main(words)\n`,
  )
}

function run(entry, words, { world, coverage, input, get }) {
  const environment = {
    PATH: process.env.PATH,
    HOME: world.home,
    CAIRN_HOME: path.join(world.home, '.cairn'),
  }
  const child = spawn(process.execPath, [path.join(BUILT, 'run.mjs'), entry, ...words], {
    cwd: world.root,
    env: { ...environment, ...(coverage !== undefined && { NODE_V8_COVERAGE: coverage }) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', async chunk => {
    output += chunk
    if (get === undefined || !output.includes('\n')) return
    const { url } = JSON.parse(output.split('\n')[0])
    output = ''
    await (await fetch(new URL(get, url))).text()
    child.kill('SIGTERM')
  })
  child.stdin.end(input ?? '')
  return new Promise((resolve, reject) => {
    child.on('exit', code =>
      code === 0 ? resolve() : reject(new Error(`${words.join(' ')} ended with ${code}: ${output}`)),
    )
  })
}

/** A function that ran has a range that was counted; the whole file, which runs when it is loaded, has no name. */
function filesOf(coverage) {
  const files = new Set()
  for (const name of readdirSync(coverage)) {
    for (const { url, functions } of JSON.parse(readFileSync(path.join(coverage, name), 'utf8')).result) {
      if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(`${BUILT}/`) || url.endsWith('/run.mjs'))
        continue
      const isWhole = ({ functionName, ranges }) => functionName === '' && ranges[0].startOffset === 0
      if (functions.some(each => !isWhole(each) && each.ranges[0].count > 0))
        files.add(path.relative(BUILT, fileURLToPath(url)).replace(/js$/, 'ts'))
    }
  }
  return [...files].sort()
}

async function trace(name) {
  const { before = [], entry, words, input, get } = WALKS[name]
  const scratch = mkdtempSync(path.join(tmpdir(), 'cairn-trace-'))
  const world = { root: path.join(scratch, 'project'), home: path.join(scratch, 'home') }
  const coverage = path.join(scratch, 'coverage')
  try {
    for (const folder of [world.root, world.home, coverage]) mkdirSync(folder)
    execFileSync('git', ['init', '--quiet'], { cwd: world.root })
    for (const each of before) await run('cli/cairn', each, { world })
    await run(entry, words, { world, coverage, input: input?.(world.root), get })
    return filesOf(coverage)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const words = process.argv.slice(2)
const names = words.filter(word => word !== '--files')
const unknown = names.find(name => !Object.hasOwn(WALKS, name))
if (unknown !== undefined) throw new Error(`There is no walk ${unknown}: ${Object.keys(WALKS).join(', ')}`)
build()
for (const name of names.length === 0 ? Object.keys(WALKS) : names) {
  const files = await trace(name)
  const folders = new Set(files.map(file => path.dirname(file)))
  console.log(`${name}: ${files.length} files in ${folders.size} folders`)
  if (words.includes('--files')) console.log(files.map(file => `  ${file}`).join('\n'))
}
rmSync(BUILT, { recursive: true, force: true })
