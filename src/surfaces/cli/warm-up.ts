import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { resolveProject } from '../../features/projects/resolve-project.ts'
import { setUserFolder } from '../../kernel/system/environment.ts'

type Main = (argv: readonly string[]) => Promise<number>

/** Several in one session, so that a search also borrows from neighbours: what it does not do here is not in the cache. */
const WRITING = [
  ['remember', 'The worker retries failed webhooks with a back-off. #queue', '--files', 'src/worker.ts'],
  ['remember', 'Webhooks carry a signature in `X-Signature`.', '--session', 's1'],
  ['remember', 'The worker checks it before a webhook is queued.', '--session', 's1'],
  ['remember', 'As sessões ficam no Redis por uma hora.', '--kind', 'decision', '--session', 's1'],
  ['task', 'add', 'Move the queue'],
  ['session', 'start', 's2', '--agent', 'dev'],
  ['session', 'run', 's2', '--agent', 'dev', '--tool', 'Bash', '--command', 'npm test', '--exit-code', '1'],
  ['status'],
  // Takes in the documents: who only looks then finds them there.
  ['search', 'webhooks'],
]
/** What a brief tells of it is in the cache too. */
const OF_THE_USER = [
  ['remember', '--user', 'Answer in short sentences.'],
  ['remember', '--user', 'Prefer tabs.'],
]
const LOOKING = [
  ['search', 'how does the worker check webhooks?', '--json'],
  ['search', 'retry webhok in src/worker.ts'],
]
const TELLING = [
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

/** Walks the paths that must start fast, in a scratch project. */
export function walkAllPaths(main: Main): Promise<void> {
  return inScratchProject(async root => {
    for (const argv of [...WRITING, ...LOOKING, ...LISTING]) await main([...argv, '--root', root])
  })
}

/** The same for looking alone: another process does the writing, so that nothing of it is in the cache. */
export function walkLookingPaths(main: Main): Promise<void> {
  return walkAfterWriting(main, LOOKING)
}

export function walkAskingPaths(main: Main): Promise<void> {
  return walkAfterWriting(main, RETRIEVING)
}

export function walkTellingPaths(main: Main): Promise<void> {
  return walkAfterWriting(main, TELLING)
}

export function walkCheckingPaths(main: Main): Promise<void> {
  return walkAfterWriting(main, CHECKING)
}

function walkAfterWriting(main: Main, paths: readonly (readonly string[])[]): Promise<void> {
  return inScratchProject(async root => {
    const { execFileSync } = await import('node:child_process')
    const write = (argv: readonly string[]) =>
      execFileSync(process.execPath, [process.argv[1] ?? '', ...argv], { stdio: 'ignore' })
    for (const argv of WRITING) write([...argv, '--root', root])
    for (const argv of OF_THE_USER) write(argv)
    // Whoever finds the preferences unread hands over to the whole command line, and reads them for the next.
    write(['brief', '--prompt', 'tabs', '--root', root])
    // The files are as old as the index then, and looking finds nothing to compare.
    await new Promise(resolve => setTimeout(resolve, 100))
    for (const argv of paths) await main([...argv, '--root', root])
    // They name the folder; whoever uses the commands stands in it.
    resolveProject(root)
  })
}

async function inScratchProject(work: (root: string) => Promise<void>): Promise<void> {
  const { tmpdir } = await import('node:os')
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-build-'))
  const root = path.join(folder, 'project')
  mkdirSync(root)
  setUserFolder(path.join(folder, 'user'))
  // Entries that name it are anchored to it, so that judging them is in the cache too.
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
