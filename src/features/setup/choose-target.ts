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
import { findCloned, gitFolderOf, readRepositoryIdentity } from '../projects/linked-worktree.ts'
import { checkoutTop, isCommunal, projectAt, resolveProject } from '../projects/resolve-project.ts'
import type { ValidationPorts } from '../validate/decide/ports.ts'
import { validationRun } from '../validate/validation-run.ts'

/** Where the person stands, or which folder they named. */
export interface From {
  readonly folder: string
  /** By --root or CAIRN_ROOT: exactly that folder is meant. */
  readonly isNamed: boolean
}

export interface SetupTarget {
  /** Where the memory is or will be. */
  readonly root: string
  /** The folder whose agents use it. */
  readonly checkout: string
  readonly resolved: ResolvedProject
  /** The project whose memory the checkout shares from now on. */
  readonly shares?: KnownProject
  /** A known project that this is a clone of, and that it keeps apart from. */
  readonly cloneOf?: KnownProject
  /** A worktree that keeps its own though the main checkout has one. */
  readonly isOwn: boolean
  /** The top of the git checkout; undefined: it is no repository. */
  readonly top: string | undefined
  readonly gitFolder?: string
  readonly repository?: RepositoryIdentity
}

export interface TargetRequest {
  readonly own: boolean
  readonly share: boolean
}

/** Which memory `cairn init` is about. Reads only; asks git who the repository is, since a person waits for it. */
export function chooseTarget(
  from: From,
  known: KnownProjects | 'damaged',
  git: Git,
  { own, share }: TargetRequest,
): SetupTarget {
  if (own && share) {
    throw new CairnError({
      code: 'invalid_input',
      message: '--own and --share say the opposite.',
      hint: 'Leave one of them out.',
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
    // Of a subfolder of a monorepo nothing is recorded that would speak for the whole repository.
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
      message: `No project that you trust here is fetched from where ${resolved.root} is.`,
      hint: '`cairn projects` lists them; without --share it gets a memory of its own.',
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
    message: `${root} holds all kinds of things, and is no project.`,
    hint: 'Go into the folder of a project first, or name one: cairn init --root ~/code/api. What holds everywhere goes to your own memory: cairn remember --user "…"',
  })
}

/** What a person sees of a memory before they say yes to it. */
export interface MemoryLook {
  readonly entries: number
  readonly agents: readonly { readonly agent: string; readonly entries: number }[]
  /** The newest entries, newest first. */
  readonly newest: readonly {
    readonly agent: string
    readonly date: string
    readonly kind: string
    readonly text: string
  }[]
  /** Links that lead out of it: none of them is followed. */
  readonly linksOut: readonly string[]
  /** Files that could not be read or are too large: what is in them is not counted. */
  readonly unread: readonly string[]
}

const MAX_SHOWN = 5
const MAX_CHARACTERS = 100
const MAX_NAMED = 20

/** From the files themselves, without an index: nothing is written where nobody said yes. undefined: there is no memory. */
export async function lookAtMemory(memory: Memory & ValidationPorts): Promise<MemoryLook | undefined> {
  const tree = await memory.memoryTree.open()
  if (tree === undefined) return undefined
  const config = await memory.config()
  const skipped: { what: string; why: string }[] = []
  const nowMs = memory.clock.nowMs()
  const findings: Parameters<typeof validationRun>[0]['findings'] = []
  const files = validationRun({
    engine: memory,
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
