import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { NewEntry } from '../src/api.ts'
import type { BenchContext } from './bench.ts'
import { CORPUS_VERSION, entryAt, positionsByDate, type SyntheticEntry } from './synthetic-corpus.ts'
import { withTemporaryProject } from './temporary-project.ts'

/** A project with synthetic entries, kept between runs because filling it takes most of the time. Only read it. */
export interface PreparedProject {
  readonly root: string
  /** The id of the entry at each position of the corpus. */
  readonly ids: readonly string[]
  /** Undefined when the project was there already. */
  readonly importSeconds: number | undefined
  /** A place beside the project for what belongs to it, such as the raw index it is compared with. */
  readonly fileBeside: (name: string) => string
}

export async function prepareProject(context: BenchContext, entries: number): Promise<PreparedProject> {
  const folder = path.join(tmpdir(), 'cairn-bench-cache', `corpus${CORPUS_VERSION}-${entries}`)
  const fileBeside = (file: string) => path.join(folder, file)
  const root = fileBeside('project')
  if (existsSync(fileBeside('ids.json'))) {
    await rebuildIndexOfOtherBuild(context, { root, stamp: fileBeside('build.txt'), entries })
    const ids = JSON.parse(await readFile(fileBeside('ids.json'), 'utf8')) as string[]
    return { root, ids, importSeconds: undefined, fileBeside }
  }
  // Filled under another name: a run that was interrupted must not leave a half-filled project to the next.
  const unfinished = `${folder}.${process.pid}`
  await mkdir(path.join(unfinished, 'project'), { recursive: true })
  const start = performance.now()
  const ids = await fill(context, path.join(unfinished, 'project'), entries)
  const importSeconds = (performance.now() - start) / 1000
  await writeFile(path.join(unfinished, 'build.txt'), context.build)
  await writeFile(path.join(unfinished, 'ids.json'), JSON.stringify(ids))
  await rename(unfinished, folder)
  // Inodes and times are those of the import, but the project has another path now: let the index settle there.
  await countEntries(context, root)
  return { root, ids, importSeconds, fileBeside }
}

/** The files of a vault outlive any version of Cairn. Its index holds what the code of that day made of them. */
async function rebuildIndexOfOtherBuild(
  context: BenchContext,
  { root, stamp, entries }: { root: string; stamp: string; entries: number },
): Promise<void> {
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === context.build) return
  context.progress(`rebuilding the index of ${entries} entries: the library has changed`)
  await rm(path.join(root, '.memory', '.vault'), { recursive: true, force: true })
  const found = await countEntries(context, root)
  if (found !== entries) throw new Error(`${root} has ${found} entries instead of ${entries}; remove it`)
  await writeFile(stamp, context.build)
}

/** A copy for a bench that writes. */
export async function withCopyOf<T>(project: PreparedProject, use: (root: string) => Promise<T>): Promise<T> {
  return withTemporaryProject(async root => {
    await cp(project.root, root, { recursive: true, preserveTimestamps: true })
    return use(root)
  })
}

/** How many Markdown files the entries lie in: each read looks at all of them. */
export async function countVaultFiles(root: string): Promise<number> {
  const files = await readdir(path.join(root, '.memory'), { recursive: true })
  return files.filter(file => file.endsWith('.md')).length
}

export function newEntryOf({ text, metadata }: SyntheticEntry): NewEntry {
  return { content: text, ...metadata }
}

async function countEntries({ library }: BenchContext, root: string): Promise<number> {
  const memory = await library.openMemory({ root, upkeep: 'never' })
  try {
    return (await memory.status()).entries
  } finally {
    await memory.close()
  }
}

async function fill({ library, progress }: BenchContext, root: string, entries: number): Promise<string[]> {
  const memory = await library.openMemory({ root, upkeep: 'never' })
  try {
    const positions = positionsByDate(entries)
    const corpus = function* (): Iterable<NewEntry> {
      for (const position of positions) yield newEntryOf(entryAt(position))
    }
    const onProgress = (done: number) => progress(`importing ${done} of ${entries}`)
    const report = await memory.importEntries(corpus(), { onProgress })
    const ids: string[] = []
    positions.forEach((position, i) => {
      ids[position] = report.ids[i] ?? 'not imported'
    })
    if (report.added !== entries) {
      throw new Error(`of ${entries} entries ${report.added} were added, ${report.failed} failed`)
    }
    return ids
  } finally {
    await memory.close()
  }
}
