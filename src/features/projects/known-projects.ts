import * as fs from 'node:fs'
import * as path from 'node:path'
import type { KnownProject, KnownProjects } from '../../kernel/model/project.ts'
import { errnoOf } from '../../kernel/system/disk.ts'
import { userFolder } from '../../kernel/system/user-folder.ts'

/** A larger file is not ours, and every prompt waits for this read. */
const MAX_BYTES = 4_194_304

export function knownProjectsFile(): string {
  return path.join(userFolder(), 'projects.json')
}

/** `damaged`: the file exists but cannot be read. No project is trusted then. */
export function readKnownProjects(file = knownProjectsFile()): KnownProjects | 'damaged' {
  const text = textOf(file)
  if (text === undefined) return { version: 1, projects: [] }
  return text === 'damaged' ? text : parseKnownProjects(text)
}

function parseKnownProjects(text: string): KnownProjects | 'damaged' {
  try {
    const stored: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    return isKnownProjects(stored) ? stored : 'damaged'
  } catch (error) {
    if (error instanceof SyntaxError) return 'damaged'
    throw error
  }
}

function textOf(file: string): string | 'damaged' | undefined {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return undefined
    if (!stat.isFile() || stat.size > MAX_BYTES) return 'damaged'
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    // The file exists but cannot be read, so no project is trusted.
    if (errnoOf(error) !== undefined) return 'damaged'
    throw error
  }
}

function isKnownProjects(stored: unknown): stored is KnownProjects {
  const known = stored as Partial<KnownProjects> | null
  return (
    typeof known === 'object' &&
    known?.version === 1 &&
    Array.isArray(known.projects) &&
    known.projects.every(isKnownProject)
  )
}

const OPTIONAL_TEXTS = ['token', 'folder', 'gitFolder', 'trustedAt'] as const

function isKnownProject(stored: Partial<KnownProject> | null): boolean {
  if (typeof stored?.id !== 'string' || typeof stored.root !== 'string') return false
  if (OPTIONAL_TEXTS.some(field => stored[field] !== undefined && typeof stored[field] !== 'string'))
    return false
  const { sharedBy = [] } = stored
  return (
    Array.isArray(sharedBy) &&
    sharedBy.every(one => typeof one?.root === 'string' && typeof one.folder === 'string')
  )
}
