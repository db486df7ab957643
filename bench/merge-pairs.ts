import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import * as path from 'node:path'
import type { Memory } from '../src/api.ts'
import type { Bench, Library } from './bench.ts'
import { check } from './report.ts'
import { withTemporaryProject } from './temporary-project.ts'

const PAIRS = 400
/** At most: a category with a single entry is the hard case for git. */
const BASE_ENTRIES = 12
const MAX_STEPS = 6
/** A new base for every so many pairs. */
const PAIRS_OF_A_BASE = 5
const SUBJECTS = ['cache', 'queue', 'login form', 'importer', 'build', 'invoice', 'upload', 'mailer'] as const
const CLAIMS = [
  'is slow on Mondays',
  'needs a retry',
  'must log in UTC',
  'reads one tenant',
  'has no lock',
] as const

/** A repeatable source of choices: the same seed walks the same pairs. */
function choices(seed: number): (bound: number) => number {
  let state = seed >>> 0
  return bound => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

export interface PairsReport {
  readonly pairs: number
  readonly conflicts: number
  /** Clean merges whose entries are not those that both branches together should leave. */
  readonly wrong: number
  readonly steps: Readonly<Record<Step, number>>
  readonly firstConflict?: string
}

type Step = 'add' | 'edit' | 'retype' | 'forget' | 'confirm'
const STEPS: readonly Step[] = ['add', 'edit', 'retype', 'forget', 'confirm']

/**
 * Pairs of branches of one repository. Each branch adds, edits, retypes, forgets and confirms entries of the same categories, and no entry is
 * edited by both. Plain git merges them in a bare clone: no driver, no attributes, as the merge button of a hosting service does.
 */
export async function mergePairs(
  library: Pick<Library, 'openMemory'>,
  folder: string,
  {
    pairs,
    seed,
    onPair,
  }: { readonly pairs: number; readonly seed: number; readonly onPair?: (n: number) => void },
): Promise<PairsReport> {
  const choose = choices(seed)
  const steps: Record<Step, number> = { add: 0, edit: 0, retype: 0, forget: 0, confirm: 0 }
  let conflicts = 0
  let wrong = 0
  let firstConflict: string | undefined
  const base = path.join(folder, 'base')
  const bare = path.join(folder, 'bare.git')
  let expectedBase: ReadonlyMap<string, string> = new Map()
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % PAIRS_OF_A_BASE === 0) {
      for (const old of [base, bare]) rmSync(old, { recursive: true, force: true })
      await mkdir(base, { recursive: true })
      git(base, 'init', '-q', '-b', 'main')
      const memory = await library.openMemory({ root: base, vectors: 'never', upkeep: 'never' })
      for (let n = choose(BASE_ENTRIES); n >= 0; n--) await add(memory, `base ${n}`, choose)
      expectedBase = await contents(memory)
      await memory.close()
      commit(base)
      git(folder, 'clone', '-q', '--bare', base, bare)
    }
    const results: ReadonlyMap<string, string>[] = []
    for (const side of ['ours', 'theirs']) {
      const root = path.join(folder, side)
      rmSync(root, { recursive: true, force: true })
      cpSync(base, root, { recursive: true })
      const memory = await library.openMemory({ root, vectors: 'never', upkeep: 'never' })
      for (let n = 1 + choose(MAX_STEPS); n > 0; n--) {
        const step = STEPS[choose(STEPS.length)] ?? 'add'
        steps[step] += await take(memory, step, { side, name: `${side} ${pair}.${n}`, choose })
      }
      results.push(await contents(memory))
      await memory.close()
      commit(root)
      git(root, 'push', '-q', '-f', bare, `HEAD:refs/heads/${side}`)
    }
    const merged = mergeTree(bare)
    if (merged.isClean) {
      const [ours = new Map(), theirs = new Map()] = results
      const found = await contentsOfTree(library, folder, bare, merged.tree)
      if (!isSame(found, joined(expectedBase, ours, theirs))) wrong++
    } else {
      conflicts++
      firstConflict ??= merged.output
    }
    onPair?.(pair + 1)
  }
  return { pairs, conflicts, wrong, steps, ...(firstConflict !== undefined && { firstConflict }) }
}

interface Turn {
  readonly side: string
  readonly name: string
  readonly choose: (bound: number) => number
}

/** 1: done. 0: there was nothing to do it to. */
async function take(memory: Memory, step: Step, { side, name, choose }: Turn): Promise<number> {
  if (step === 'add') {
    await add(memory, name, choose)
    return 1
  }
  if (step === 'confirm') {
    const { entry } = await memory.remember({
      content: sentence(name, choose),
      kind: choose(2) === 0 ? 'decision' : 'lesson',
      origin: 'agent',
      status: 'candidate',
    })
    await memory.confirm(entry.id)
    return 1
  }
  const { entries } = await memory.list({ limit: 1_000 })
  // Every other entry belongs to this side: neighbours in their category are changed by both branches, one entry never is.
  const own = entries.filter(({ id }) => (idNumber(id) % 2 === 0) === (side === 'ours'))
  const target = own[choose(Math.max(own.length, 1))]
  if (target === undefined) return 0
  if (step === 'edit') await memory.update(target.id, { content: `${target.content} Edited in ${name}.` })
  else if (step === 'retype')
    await memory.update(target.id, { kind: target.kind === 'decision' ? 'lesson' : 'decision' })
  else await memory.forget(target.id)
  return 1
}

async function add(memory: Memory, name: string, choose: (bound: number) => number): Promise<void> {
  await memory.remember({ content: sentence(name, choose), kind: choose(2) === 0 ? 'decision' : 'lesson' })
}

function sentence(name: string, choose: (bound: number) => number): string {
  const subject = SUBJECTS[choose(SUBJECTS.length)]
  return `The ${subject} ${CLAIMS[choose(CLAIMS.length)]} (${name}).`
}

function idNumber(id: string): number {
  return [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7)
}

async function contents(memory: Memory): Promise<ReadonlyMap<string, string>> {
  const { entries } = await memory.list({ limit: 1_000 })
  return new Map(entries.map(({ id, kind, content }) => [id, `${kind}: ${content}`]))
}

/** What each side changed, on top of the base. */
function joined(
  base: ReadonlyMap<string, string>,
  ours: ReadonlyMap<string, string>,
  theirs: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const result = new Map<string, string>()
  for (const id of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const [before, our, their] = [base.get(id), ours.get(id), theirs.get(id)]
    const now = our === before ? their : our
    if (now !== undefined) result.set(id, now)
  }
  return result
}

function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([id, content]) => b.get(id) === content)
}

async function contentsOfTree(
  library: Pick<Library, 'openMemory'>,
  folder: string,
  bare: string,
  tree: string,
): Promise<ReadonlyMap<string, string>> {
  const root = path.join(folder, 'merged')
  rmSync(root, { recursive: true, force: true })
  await mkdir(root, { recursive: true })
  const archive = execFileSync('git', ['archive', tree], { cwd: bare, maxBuffer: 64 * 1_048_576 })
  execFileSync('tar', ['x', '-C', root], { input: archive })
  const memory = await library.openMemory({ root, vectors: 'never', upkeep: 'never' })
  try {
    return await contents(memory)
  } finally {
    await memory.close()
  }
}

function mergeTree(bare: string): {
  readonly isClean: boolean
  readonly tree: string
  readonly output: string
} {
  try {
    const output = git(bare, 'merge-tree', '--write-tree', 'ours', 'theirs')
    return { isClean: true, tree: output.trim(), output }
  } catch (error) {
    // Exit code 1 is a conflict; anything else is a failure of the command.
    if ((error as { status?: number }).status !== 1) throw error
    return { isClean: false, tree: '', output: String((error as { stdout?: unknown }).stdout) }
  }
}

function commit(root: string): void {
  git(root, 'add', '-A')
  git(root, 'commit', '-q', '--allow-empty', '-m', 'memory')
}

function git(cwd: string, ...words: string[]): string {
  const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...who, ...words], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export const mergePairsBench: Bench = {
  name: 'merge-pairs',
  summary: 'random pairs of branches that change a memory, merged by plain git in a bare clone',
  run: async context =>
    withTemporaryProject(async folder => {
      const pairs = context.isQuick ? 10 : PAIRS
      const report = await mergePairs(context.library, folder, {
        pairs,
        seed: 17,
        onPair: n => {
          if (n % 50 === 0) context.progress(`merge-pairs: ${n} of ${pairs}`)
        },
      })
      const { firstConflict: _, steps, ...figures } = report
      return {
        data: { ...report },
        checks: [
          check(`conflicts in ${pairs} pairs`, report.conflicts, 'exactly', 0),
          check('clean merges with other entries than expected', report.wrong, 'exactly', 0),
        ],
        tables: [
          {
            title: 'Plain git, no merge driver',
            rows: [
              ...Object.entries(figures).map(([name, value]) => [name, value] as const),
              ...Object.entries(steps).map(([name, count]) => [`${name}, times`, count] as const),
            ],
          },
        ],
      }
    }),
}
