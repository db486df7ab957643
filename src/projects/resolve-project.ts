import * as fs from 'node:fs'
import * as path from 'node:path'
import type { ResolvedProject } from '../model/project.ts'
import { findProjectRoot, MEMORY_FOLDER } from '../system/paths.ts'
import { readKnownProjects } from './known-projects.ts'

/** Whose memory is meant by somebody who stands in `from`. Every prompt of every agent waits for it: a few stats and one small file. */
export function resolveProject(from: string): ResolvedProject {
  const root = findProjectRoot(from)
  const isThere = fs.statSync(path.join(root, MEMORY_FOLDER), { throwIfNoEntry: false }) !== undefined
  if (!isThere) return { root, checkout: root, standing: 'none' }
  const known = readKnownProjects()
  const real = fs.realpathSync(root)
  const isTrusted =
    known !== 'damaged' &&
    known.projects.some(project => project.root === real && project.trustedAt !== undefined)
  return { root, checkout: root, standing: isTrusted ? 'trusted' : 'untrusted' }
}
