import * as fs from 'node:fs'
import * as path from 'node:path'
import { CairnError } from '../../kernel/model/errors.ts'
import { absentAsUndefined, asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import { MEMORY_FOLDER } from '../../kernel/system/paths.ts'
import { realPath } from '../projects/repository.ts'
import type { SetupParts } from './host-changes.ts'

/** A memory that was moved out of its project. We never delete it. */
export interface Forgotten {
  /** Its folder, absolute. */
  readonly folder: string
  readonly root: string
  readonly at: string
  readonly entries: number
}

const ABOUT = 'about.json'
const MAX_LISTED = 1_000
const MAX_BYTES = 65_536

function forgottenFolder({ installing }: Pick<SetupParts, 'installing'>): string {
  return path.join(path.dirname(installing.records), 'forgotten')
}

/** The newest memory that was moved out of this folder. */
export function findForgotten(parts: Pick<SetupParts, 'installing'>, root: string): Forgotten | undefined {
  const folder = forgottenFolder(parts)
  const real = realPath(root) ?? path.resolve(root)
  const names = absentAsUndefined(() => fs.readdirSync(folder)) ?? []
  return names
    .slice(0, MAX_LISTED)
    .flatMap(name => readAbout(path.join(folder, name)))
    .filter(about => about.root === real)
    .sort((a, b) => (a.at < b.at ? 1 : -1))[0]
}

function readAbout(folder: string): Forgotten[] {
  const file = path.join(folder, ABOUT)
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (stat?.isFile() !== true || stat.size > MAX_BYTES) return []
  try {
    const about = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Forgotten>
    const { root, at, entries } = about
    if (typeof root !== 'string' || typeof at !== 'string' || typeof entries !== 'number') return []
    return fs.existsSync(path.join(folder, MEMORY_FOLDER)) ? [{ folder, root, at, entries }] : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** Moves a memory out of its project. Its origin is written first, so that it is known even if the move fails. */
export function moveMemoryAway(
  parts: Pick<SetupParts, 'installing'>,
  { root, at, entries }: Omit<Forgotten, 'folder'>,
): Forgotten {
  const name = `${path.basename(root)}-${at.replace(/\D/g, '').slice(0, 14)}`
  const folder = path.join(forgottenFolder(parts), name)
  const forgotten = { folder, root: realPath(root) ?? root, at, entries }
  try {
    parts.installing.privateDisk.makeFolder(folder)
    const about = { version: 1, root: forgotten.root, at, entries }
    parts.installing.privateDisk.writeFile(
      path.join(folder, ABOUT),
      new TextEncoder().encode(`${JSON.stringify(about, null, 2)}\n`),
    )
    moveFolder(path.join(root, MEMORY_FOLDER), path.join(folder, MEMORY_FOLDER))
  } catch (error) {
    throw asStorageError(error, `The memory of ${root}`)
  }
  return forgotten
}

export function bringBack({ folder }: Forgotten, root: string): void {
  const target = path.join(root, MEMORY_FOLDER)
  if (fs.existsSync(target)) {
    throw new CairnError({
      code: 'file_exists',
      message: `${root} already has a memory.`,
      hint: `The other one is in ${folder}.`,
    })
  }
  try {
    moveFolder(path.join(folder, MEMORY_FOLDER), target)
    fs.rmSync(folder, { recursive: true, force: true })
    const all = path.dirname(folder)
    if (fs.readdirSync(all).length === 0) fs.rmdirSync(all)
  } catch (error) {
    throw asStorageError(error, `The memory of ${root}`)
  }
}

/** To another disk it is copied completely before the original is removed. */
function moveFolder(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error
    const part = `${to}.cairn-tmp`
    fs.rmSync(part, { recursive: true, force: true })
    fs.cpSync(from, part, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    fs.renameSync(part, to)
    fs.rmSync(from, { recursive: true, force: true })
  }
}
