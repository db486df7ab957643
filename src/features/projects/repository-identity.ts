import * as fs from 'node:fs'
import * as path from 'node:path'
import type { KnownProject, RepositoryIdentity } from '../../kernel/model/project.ts'
import type { Git } from '../../kernel/system/git.ts'
import { gitFolderOf, realPath } from './linked-worktree.ts'

const COMMIT = /^[0-9a-f]{40,64}$/
/** Nothing is fetched to answer a question, whatever the repository is configured to do. */
const OFFLINE = ['-c', 'protocol.allow=never']

/** What tells clones of one repository from others. Asks git, so only where a person waits for it (`cairn init`). */
export function readRepositoryIdentity(top: string, git: Git): RepositoryIdentity {
  const ask = (...words: string[]) => {
    const run = git([...OFFLINE, ...words], top)
    return run.kind === 'ran' && run.code === 0 ? run.stdout.trim() : undefined
  }
  const origin = ask('config', '--get', 'remote.origin.url')
  const gitFolder = gitFolderOf(top)
  // What a shallow clone takes for the first commit is not the first.
  const isShallow = gitFolder !== undefined && fs.existsSync(path.join(gitFolder, 'shallow'))
  const roots = isShallow ? [] : (ask('rev-list', '--max-parents=0', 'HEAD') ?? '').split('\n')
  const [rootCommit] = roots
  return {
    ...(roots.length === 1 && COMMIT.test(rootCommit ?? '') && { rootCommit: rootCommit as string }),
    ...(origin !== undefined && origin !== '' && { origin: normalisedOrigin(origin, top) }),
  }
}

/**
 * Where a repository is fetched from, the same for every way of writing it:
 *
 *   git@github.com:me/api.git, https://me:secret@GitHub.com/me/api/, ssh://git@github.com:22/me/api   →   github.com/me/api
 *   ../api.git, file:///srv/api.git                                                                 →   its real path
 */
export function normalisedOrigin(url: string, from: string): string {
  const remote =
    /^(?:https?|ssh|git|ftps?):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(url) ??
    /^(?:[^@/:]+@)?([^/:]{2,}):(?!\/\/|\\)(.+)$/.exec(url)
  if (remote !== null) return `${remote[1]?.toLowerCase()}/${trimmed(remote[2] ?? '')}`
  const local = path.resolve(from, url.replace(/^file:\/\//, ''))
  return trimmed(realPath(local) ?? local)
}

function trimmed(text: string): string {
  return text.replace(/\/+$/, '').replace(/(?:\/?\.git)$/, '')
}

/**
 * The known project that a checkout is a clone of: fetched from the same place, or from that project itself. A fork has the same
 * first commit and another place, what was made from a template as well: neither is meant.
 */
export function findCloned(
  identity: RepositoryIdentity,
  projects: readonly KnownProject[],
): KnownProject | undefined {
  const { origin, rootCommit } = identity
  if (origin === undefined) return undefined
  return projects.find(({ repository, root, trustedAt }) => {
    if (trustedAt === undefined) return false
    const isOther =
      rootCommit !== undefined && repository?.rootCommit !== undefined && repository.rootCommit !== rootCommit
    return !isOther && (repository?.origin === origin || trimmed(root) === origin)
  })
}
