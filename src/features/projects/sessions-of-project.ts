import * as fs from 'node:fs'
import * as path from 'node:path'
import { absentAsUndefined } from '../../kernel/system/disk.ts'
import { isInside } from '../../kernel/system/paths.ts'
import { resolveProject } from './resolve-project.ts'

/**
 * Whether a session that was had in a folder is one of the project at `root` (behind all links). A folder below it counts unless it has a
 * memory of its own, and so does another worktree of the same repository. Of a folder that is gone only its path is left to go by.
 */
export function sessionsOfProject(root: string): (cwd: string) => boolean {
  return cwd => {
    if (!path.isAbsolute(cwd)) return false
    const real = realFolder(cwd)
    if (real === undefined) return isInside(path.resolve(cwd), root)
    const project = resolveProject(real)
    const found = realFolder(project.root)
    if (found === root) return true
    return found !== undefined && project.standing === 'none' && mainCheckoutOf(found) === root
  }
}

function realFolder(folder: string): string | undefined {
  return absentAsUndefined(() => fs.realpathSync(folder))
}

/** `.git` of a worktree is a file that leads to `<repository>/.git/worktrees/<name>`. */
function mainCheckoutOf(checkout: string): string | undefined {
  const file = path.join(checkout, '.git')
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (stat?.isFile() !== true || stat.size > 8_192) return undefined
  const target = /^gitdir:\s*(.+)$/m.exec(fs.readFileSync(file, 'utf8'))?.[1]?.trim()
  if (target === undefined) return undefined
  const inside = /^(.*)[/\\]\.git[/\\]worktrees[/\\][^/\\]+[/\\]?$/.exec(path.resolve(checkout, target))?.[1]
  return inside === undefined ? undefined : realFolder(inside)
}
