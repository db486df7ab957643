import * as fs from 'node:fs'
import * as path from 'node:path'
import type { KnownProjects } from '../model/project.ts'
import { userFolder } from '../system/user-folder.ts'

/** Nobody knows thousands of projects: a larger file is not ours, and a prompt waits for this. */
const MOST_BYTES = 4_194_304

export function knownProjectsFile(): string {
  return path.join(userFolder(), 'projects.json')
}

/** `damaged`: there is a file that cannot be read. Nothing is trusted then. */
export function readKnownProjects(file = knownProjectsFile()): KnownProjects | 'damaged' {
  const text = textOf(file)
  if (text === undefined) return { version: 1, projects: [] }
  if (text.length > MOST_BYTES) return 'damaged'
  try {
    const stored: unknown = JSON.parse(text)
    return isKnownProjects(stored) ? stored : 'damaged'
  } catch (error) {
    if (error instanceof SyntaxError) return 'damaged'
    throw error
  }
}

function textOf(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function isKnownProjects(stored: unknown): stored is KnownProjects {
  const known = stored as Partial<KnownProjects> | null
  return (
    typeof known === 'object' &&
    known?.version === 1 &&
    Array.isArray(known.projects) &&
    known.projects.every(project => typeof project?.id === 'string' && typeof project.root === 'string')
  )
}
