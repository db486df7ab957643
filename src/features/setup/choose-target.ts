import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type {
  KnownProject,
  KnownProjects,
  RepositoryIdentity,
  ResolvedProject,
} from '../../kernel/model/project.ts'
import type { Git } from '../../kernel/system/git.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { findCloned, gitFolderOf, readRepositoryIdentity } from '../projects/repository.ts'
import { checkoutTop, isCommunal, projectAt, resolveProject } from '../projects/resolve-project.ts'
import type { ValidationPorts } from '../validate/decide/ports.ts'
import { validationRun } from '../validate/validation-run.ts'

/** The current folder, or the one that was given. */
export interface From {
  readonly folder: string
  /** Given by --root or CAIRN_ROOT: exactly this folder. */
  readonly isNamed: boolean
}

export interface SetupTarget {
  /** The folder with the memory, now or after init. */
  readonly root: string
  /** The folder whose agents use it. */
  readonly checkout: string
  readonly resolved: ResolvedProject
  /** The project whose memory the checkout will share. */
  readonly shares?: KnownProject
  /** A known project that this is a clone of, with a separate memory. */
  readonly cloneOf?: KnownProject
  /** A worktree with its own memory although the main checkout has one. */
  readonly isOwn: boolean
  /** The top of the git checkout; undefined: not a repository. */
  readonly top: string | undefined
  readonly gitFolder?: string
  readonly repository?: RepositoryIdentity
}

interface TargetRequest {
  readonly own: boolean
  readonly share: boolean
}

/** The memory for `cairn init`. Reads only; runs git to identify the repository, because a person waits. */
export function chooseTarget(
  from: From,
  known: KnownProjects | 'damaged',
  git: Git,
  { own, share }: TargetRequest,
): SetupTarget {
  if (own && share) {
    throw new CairnError({
      code: 'invalid_input',
      message: '--own and --share contradict each other.',
      hint: 'Use only one of them.',
    })
  }
  const found = from.isNamed ? projectAt(from.folder, known) : resolveProject(from.folder, known)
  const isElsewhere = found.by !== 'folder' && own
  const resolved = isElsewhere ? projectAt(found.checkout, known) : found
  refuseCommunal(resolved.root)
  const top = checkoutTop(resolved.checkout)
  const gitFolder = top === undefined ? undefined : gitFolderOf(top)
  const repository = top === undefined ? undefined : readRepositoryIdentity(top, git)
  const base = {
    root: resolved.root,
    checkout: resolved.checkout,
    resolved,
    isOwn: isElsewhere,
    top,
    // A subfolder of a monorepo records nothing that would identify the whole repository.
    ...(top === resolved.root && gitFolder !== undefined && { gitFolder }),
    ...(top === resolved.root && repository !== undefined && { repository }),
  }
  if (resolved.by === 'sharing' || known === 'damaged') return base
  const isKnown = resolved.id !== undefined && resolved.standing === 'trusted'
  const original =
    repository === undefined || resolved.by !== 'folder' || top !== resolved.root
      ? undefined
      : findCloned(
          repository,
          known.projects.filter(({ root }) => root !== resolved.root && hasMemory(root, known)),
        )
  if (original === undefined) {
    if (!share) return base
    throw new CairnError({
      code: 'project_not_found',
      message: `No project that you trust on this machine has the same origin as ${resolved.root}.`,
      hint: '`cairn projects` lists them. Without --share the project gets its own memory.',
    })
  }
  const isShared = share || (!own && !isKnown)
  return isShared
    ? { ...base, root: original.root, shares: original }
    : { ...base, ...(!isKnown && { cloneOf: original }) }
}

function hasMemory(root: string, known: KnownProjects): boolean {
  return projectAt(root, known).standing === 'trusted'
}

function refuseCommunal(root: string): void {
  if (!isCommunal(root)) return
  throw new CairnError({
    code: 'invalid_input',
    message: `${root} is not a project: it contains unrelated files.`,
    hint: 'Change to the folder of a project, or give one: cairn init --root ~/code/api. Preferences for all projects belong in your own memory: cairn remember --user "…"',
  })
}

/** The content of a memory that a person sees before they trust it. */
export interface MemoryPreview {
  readonly entries: number
  readonly agents: readonly { readonly agent: string; readonly entries: number }[]
  /** The newest entries, newest first. */
  readonly newest: readonly {
    readonly agent: string
    readonly date: string
    readonly kind: string
    readonly text: string
  }[]
  /** Links that lead out of it, which are not followed. */
  readonly linksOut: readonly string[]
  /** Files that are unreadable or too large; their content is not counted. */
  readonly unread: readonly string[]
}

const MAX_SHOWN = 5
const MAX_CHARACTERS = 100
const MAX_NAMED = 20

/** Read from the files without an index, because nothing may be written before the consent. undefined: there is no memory. */
export async function previewMemory(memory: Memory & ValidationPorts): Promise<MemoryPreview | undefined> {
  const tree = await memory.memoryTree.open()
  if (tree === undefined) return undefined
  const config = await memory.config()
  const skipped: { what: string; why: string }[] = []
  const nowMs = memory.clock.nowMs()
  const findings: Parameters<typeof validationRun>[0]['findings'] = []
  const files = validationRun({
    memory,
    tree,
    config,
    isDeep: false,
    nowMs,
    findings,
    skipped,
  }).vault()
  const countByAgent = new Map<string, number>()
  for (const { agent, entries } of files)
    countByAgent.set(agent, (countByAgent.get(agent) ?? 0) + entries.length)
  const newest = files
    .flatMap(({ agent, entries }) => entries.map(({ entry }) => ({ agent, entry })))
    .sort((a, b) => (a.entry.date < b.entry.date ? 1 : -1))
    .slice(0, MAX_SHOWN)
  const options = redactionOptions(config)
  return {
    entries: [...countByAgent.values()].reduce((sum, count) => sum + count, 0),
    agents: [...countByAgent]
      .filter(([, entries]) => entries > 0)
      .map(([agent, entries]) => ({ agent, entries })),
    newest: newest.map(({ agent, entry: { date, kind, content } }) => ({
      agent,
      date,
      kind,
      text: redact(content.slice(0, 4 * MAX_CHARACTERS), options)
        .text.replace(/\s+/g, ' ')
        .slice(0, MAX_CHARACTERS),
    })),
    linksOut: tree.items
      .filter(({ leads }) => leads === 'outside')
      .map(({ path }) => path)
      .slice(0, MAX_NAMED),
    unread: [...tree.unreadable.map(({ path }) => path), ...skipped.map(({ what }) => what)].slice(
      0,
      MAX_NAMED,
    ),
  }
}
