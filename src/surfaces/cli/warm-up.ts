import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { resolveProject } from '../../features/projects/resolve-project.ts'
import { setUserFolder } from '../../kernel/system/environment.ts'

type Main = (argv: readonly string[]) => Promise<number>

/** Several entries in one session, so that a search also scores neighbours: code that does not run here is not in the cache. */
const WRITING = [
  ['remember', 'The worker retries failed webhooks with a back-off. #queue', '--files', 'src/worker.ts'],
  ['remember', 'Webhooks carry a signature in `X-Signature`.', '--session', 's1'],
  ['remember', 'The worker checks it before a webhook is queued.', '--session', 's1'],
  ['remember', 'As sessões ficam no Redis por uma hora.', '--kind', 'decision', '--session', 's1'],
  ['task', 'add', 'Move the queue'],
  ['session', 'start', 's2', '--agent', 'dev'],
  ['session', 'run', 's2', '--agent', 'dev', '--tool', 'Bash', '--command', 'npm test', '--exit-code', '1'],
  ['status'],
  // Indexes the documents, so that the next command finds them.
  ['search', 'webhooks'],
]
/** Preferences of the user, which briefs include. */
const OF_THE_USER = [
  ['remember', '--user', 'Answer in short sentences.'],
  ['remember', '--user', 'Prefer tabs.'],
]
const SEARCHING = [
  ['search', 'how does the worker check webhooks?', '--json'],
  ['search', 'retry webhok in src/worker.ts'],
]
const BRIEFING = [
  [
    'brief',
    '--prompt',
    'how does the worker check webhooks?',
    '--host',
    'claude-code',
    '--session',
    's9',
    '--json',
  ],
  ['brief', '--prompt', 'why are sessions in Redis? see src/worker.ts', '--files', 'src/worker.ts'],
]
const CHECKING = [['validate'], ['validate', '--json'], ['status'], ['status', '--json']]
const LISTING = [['list', '--json'], ['list'], ['show', 'back-off']]
const RETRIEVING = [
  ['retrieve', 'plans', 'devtools', '--json'],
  ['retrieve', 'plans', 'devtools'],
  ['retrieve', 'overview', 'devtools'],
  ['retrieve', 'learnings', 'devtools/common'],
]

const WORKSPACE_FILES = {
  'resources/workspaces/devtools/OVERVIEW.md':
    '---\nname: DevTools\ndescription: Tools\ntags: [tools]\n---\n\n# DevTools\n',
  'resources/workspaces/devtools/common/_plans/260208-engine.md':
    '---\nname: "Engine"\ndescription: Runs graphs\nstatus: done\ncreated: 2026-02-08\ntags:\n  - engine\n---\n',
  'user/memory/workspaces/devtools/decisions.md':
    '### [2026-02-08] Chose xstate\n\n**Category:** architecture\n**Tags:** engine\n\nActors.\n\n---\n',
}

/** Runs the commands that must start fast, in a scratch project. */
export function warmUpAll(main: Main): Promise<void> {
  return inScratchProject(async root => {
    for (const argv of [...WRITING, ...SEARCHING, ...LISTING]) await main([...argv, '--root', root])
  })
}

/** Another process writes, so that no code for writing is in the cache. */
export function warmUpSearch(main: Main): Promise<void> {
  return runAfterWriting(main, SEARCHING)
}

export function warmUpRetrieve(main: Main): Promise<void> {
  return runAfterWriting(main, RETRIEVING)
}

export function warmUpBrief(main: Main): Promise<void> {
  return runAfterWriting(main, BRIEFING)
}

export function warmUpHealth(main: Main): Promise<void> {
  return runAfterWriting(main, CHECKING)
}

function runAfterWriting(main: Main, paths: readonly (readonly string[])[]): Promise<void> {
  return inScratchProject(async root => {
    const { execFileSync } = await import('node:child_process')
    const write = (argv: readonly string[]) =>
      execFileSync(process.execPath, [process.argv[1] ?? '', ...argv], { stdio: 'ignore' })
    for (const argv of WRITING) write([...argv, '--root', root])
    for (const argv of OF_THE_USER) write(argv)
    // Caches the preferences: a command that finds them unread hands over to the whole command line.
    write(['brief', '--prompt', 'tabs', '--root', root])
    // The index is then newer than the files, and nothing needs to be compared.
    await new Promise(resolve => setTimeout(resolve, 100))
    for (const argv of paths) await main([...argv, '--root', root])
    // The commands above name the folder; users run theirs in it.
    resolveProject(root)
  })
}

async function inScratchProject(work: (root: string) => Promise<void>): Promise<void> {
  const { tmpdir } = await import('node:os')
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-build-'))
  const root = path.join(folder, 'project')
  mkdirSync(root)
  setUserFolder(path.join(folder, 'user'))
  // Entries that name it are anchored to it, so that the code for freshness is in the cache too.
  mkdirSync(path.join(root, 'src'))
  writeFileSync(path.join(root, 'src', 'worker.ts'), 'export const retries = 5\n')
  for (const [name, text] of Object.entries(WORKSPACE_FILES)) {
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  try {
    await work(root)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
