import { execFileSync } from 'node:child_process'
import { importOperation } from '../../src/addons/import/verbs/import.ts'
import type { ComposedCheckout } from '../../src/compose/composed.ts'
import type { Entry } from '../../src/kernel/model/entry.ts'
import { openAt } from './aged-vault.ts'

export type ImportInput = Parameters<typeof importOperation.run>[1]

/** Imports into a project and closes it: the report, and what is remembered there now, oldest first. */
export async function importInto(root: string, input: ImportInput) {
  return inProject(root, async engine => {
    const report = await importOperation.run(engine, input, {})
    const { entries } = await engine.store.listEntries({ filter: {}, limit: 1_000, offset: 0 })
    return { report, entries: [...entries].sort((a, b) => (a.content < b.content ? -1 : 1)) }
  })
}

export async function inProject<T>(root: string, work: (engine: ComposedCheckout) => Promise<T>): Promise<T> {
  const engine = openAt(root)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** The part of an entry that an import decides. */
export function told({ kind, status, origin, date, content, tags, files }: Entry) {
  return { kind, status, origin, date, content, tags, files }
}

/** A commit with exactly this message, by a person, at a time. */
export function commit(folder: string, message: string, date: string, author = 'Ana'): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: author,
        GIT_AUTHOR_EMAIL: 'ana@example.org',
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: author,
        GIT_COMMITTER_EMAIL: 'ana@example.org',
        GIT_COMMITTER_DATE: date,
      },
    })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-q', '--allow-empty', '--cleanup=verbatim', '-m', message)
  return git('rev-parse', 'HEAD').trim()
}
