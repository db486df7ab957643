import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import type { CopyKind } from './decide/copied-text.ts'
import { HOST_FOLDERS, type HostRuleFolders, LINK_HOSTS } from './decide/host-folders.ts'
import type { HotFinding } from './decide/lint.ts'
import { copyOf, isOrphan, type LinkPlan, planLink, targetOf, type WantedLink } from './decide/plan-links.ts'
import type { RulePorts } from './decide/ports.ts'
import type { HotFileSet } from './hot-files.ts'

/** What is linked: the rule files or the skills. */
export interface LinkSet {
  readonly kind: CopyKind
  /** The folder of the sources. */
  readonly folder: string
  readonly wantedFor: (host: HostRuleFolders) => readonly WantedLink[]
  /** Folders of a host that may contain ours. */
  readonly foldersOf: (host: HostRuleFolders) => readonly string[]
  readonly sources: ReadonlySet<string>
}

interface Orphan {
  readonly host: string
  readonly path: string
  readonly what: 'broken link' | 'copy' | 'edited copy'
}

export interface LinkReport {
  readonly hosts: readonly HostRuleFolders[]
  readonly plans: readonly LinkPlan[]
  readonly orphans: readonly Orphan[]
}

type LinkOutcome = 'linked' | 'copied' | 'kept' | 'removed' | 'left'

export interface LinkResult {
  readonly host: string
  readonly path: string
  readonly outcome: LinkOutcome
  /** Why it was left unchanged, or why it became a copy. */
  readonly why?: string
}

/** The hosts that the caller named, or those that the project uses. */
export async function hostsToLink(
  memory: RulePorts,
  named: readonly string[] | undefined,
): Promise<readonly HostRuleFolders[]> {
  if (named !== undefined && named.length > 0) {
    const unknown = named.find(name => !LINK_HOSTS.includes(name))
    if (unknown !== undefined) {
      throw new CairnError({
        code: 'invalid_input',
        message: `Unknown host: "${unknown.slice(0, 40)}".`,
        hint: `The hosts are ${LINK_HOSTS.join(', ')}.`,
      })
    }
    return HOST_FOLDERS.filter(({ host }) => named.includes(host))
  }
  const present: HostRuleFolders[] = []
  for (const host of HOST_FOLDERS) if (await isPresent(memory, host)) present.push(host)
  return present
}

async function isPresent(memory: RulePorts, { signs }: HostRuleFolders): Promise<boolean> {
  for (const sign of signs) if (await memory.hotFiles.exists(sign)) return true
  return false
}

/** Checks every place and plans what to do. A folder that two hosts read is checked once. */
export async function inspectLinks(
  memory: RulePorts,
  set: LinkSet,
  { hosts, copies = false }: { readonly hosts: readonly HostRuleFolders[]; readonly copies?: boolean },
): Promise<LinkReport> {
  const rules = { kind: set.kind, hash: textHash, copies }
  const plans = new Map<string, LinkPlan>()
  const orphans = new Map<string, Orphan>()
  for (const host of hosts) {
    for (const wanted of set.wantedFor(host)) {
      if (plans.has(wanted.path)) continue
      const at = await memory.hotFiles.look(wanted.path)
      const isFolder = at.kind === 'folder' && wanted.copyPath !== wanted.path
      const copyAt = isFolder ? await memory.hotFiles.look(wanted.copyPath) : undefined
      plans.set(wanted.path, planLink({ wanted, at, ...(copyAt !== undefined && { copyAt }) }, rules))
    }
    for (const orphan of await orphansOf(memory, set, host)) orphans.set(orphan.path, orphan)
  }
  return { hosts, plans: [...plans.values()], orphans: [...orphans.values()] }
}

async function orphansOf(memory: RulePorts, set: LinkSet, host: HostRuleFolders): Promise<Orphan[]> {
  const found: Orphan[] = []
  const given = { folder: set.folder, kind: set.kind, hash: textHash }
  for (const folder of set.foldersOf(host)) {
    for (const name of await memory.hotFiles.names(folder)) {
      for (const path of [
        `${folder}/${name}`,
        ...(set.kind === 'skill' ? [`${folder}/${name}/SKILL.md`] : []),
      ]) {
        if (set.kind === 'hot' && !/\.mdc?$/i.test(name)) continue
        const what = isOrphan(await memory.hotFiles.look(path), given, set.sources)
        if (what !== undefined) found.push({ host: host.host, path, what })
      }
    }
  }
  return found
}

/** Checks and applies under a lock that all processes share. */
export async function applyLinks(
  memory: Memory & RulePorts,
  set: LinkSet,
  options: { readonly hosts: readonly HostRuleFolders[]; readonly copies?: boolean },
): Promise<LinkResult[]> {
  return memory.store.exclusively(async () => {
    const { plans, orphans } = await inspectLinks(memory, set, options)
    const results: LinkResult[] = []
    for (const plan of plans) results.push(await applyOne(memory, set, plan))
    for (const { host, path, what } of orphans) {
      if (what === 'edited copy') {
        results.push({
          host,
          path,
          outcome: 'left',
          why: 'its source was removed, but the copy was changed by hand',
        })
        continue
      }
      await memory.hotFiles.remove(path, set.kind === 'skill' && what === 'copy')
      results.push({ host, path, outcome: 'removed', why: 'its source is gone' })
    }
    return results
  })
}

const LEFT: Partial<Record<LinkPlan['state'], string>> = {
  taken: 'another file is in its place',
  edited: 'the copy was changed by hand: move the change to its source, then remove the copy',
}

async function applyOne(
  memory: RulePorts,
  set: LinkSet,
  { wanted, state, does }: LinkPlan,
): Promise<LinkResult> {
  const { host, path, copyPath } = wanted
  const why = LEFT[state]
  if (why !== undefined) return { host, path, outcome: 'left', why }
  if (does === 'nothing') return { host, path, outcome: 'kept' }
  if (does === 'link' && (await memory.hotFiles.makeLink(path, targetOf(wanted))))
    return { host, path, outcome: 'linked' }
  if (copyPath !== path && (state === 'linked' || state === 'flat')) await memory.hotFiles.remove(path)
  await memory.hotFiles.writeCopy(copyPath, copyOf(wanted, { kind: set.kind, hash: textHash }))
  return {
    host,
    path: copyPath,
    outcome: 'copied',
    ...(does === 'link' && { why: 'this system does not let links be made' }),
  }
}

/** Removes exactly what is ours: links to the sources, and unchanged copies. With `all` also the folders that are empty then. */
export async function removeLinks(
  memory: Memory & RulePorts,
  set: LinkSet,
  {
    hosts,
    dryRun = false,
    all = false,
  }: { readonly hosts: readonly HostRuleFolders[]; readonly dryRun?: boolean; readonly all?: boolean },
): Promise<LinkResult[]> {
  const work = async () => {
    const { plans, orphans } = await inspectLinks(memory, set, { hosts })
    const results: LinkResult[] = []
    for (const { wanted, state } of plans) {
      const { host, path, copyPath } = wanted
      const found = await memory.hotFiles.look(path)
      const isLink = state === 'linked' && found.kind === 'link'
      if (isLink || state === 'flat') {
        if (!dryRun) await memory.hotFiles.remove(path)
        results.push({ host, path, outcome: 'removed' })
      } else if (state === 'copied' || state === 'behind') {
        if (!dryRun) await memory.hotFiles.remove(copyPath, copyPath !== path)
        results.push({ host, path: copyPath, outcome: 'removed' })
      } else if (state === 'edited') {
        results.push({ host, path: copyPath, outcome: 'left', why: LEFT.edited ?? '' })
      }
    }
    for (const { host, path, what } of orphans) {
      if (what === 'edited copy') continue
      if (!dryRun) await memory.hotFiles.remove(path, set.kind === 'skill' && what === 'copy')
      results.push({ host, path, outcome: 'removed', why: 'its source is gone' })
    }
    // An empty `.cursor` would look as if Cursor were used here.
    if (all && !dryRun)
      for (const { path, outcome } of results)
        if (outcome === 'removed') await memory.hotFiles.clearAway(path)
    return results
  }
  return dryRun ? work() : memory.store.exclusively(work)
}

/** The results that `applyLinks` would return. */
export function plannedResults({ plans, orphans }: LinkReport): LinkResult[] {
  return [
    ...plans.map(({ wanted: { host, path, copyPath }, state, does }): LinkResult => {
      const why = LEFT[state]
      if (why !== undefined) return { host, path, outcome: 'left', why }
      if (does === 'nothing') return { host, path, outcome: 'kept' }
      return does === 'link' ? { host, path, outcome: 'linked' } : { host, path: copyPath, outcome: 'copied' }
    }),
    ...orphans.map(
      ({ host, path, what }): LinkResult =>
        what === 'edited copy'
          ? { host, path, outcome: 'left', why: 'its source was removed, but the copy was changed by hand' }
          : { host, path, outcome: 'removed', why: 'its source is gone' },
    ),
  ]
}

/** The rule files in each host's rules folder. */
export function ruleLinkSet({ folder, common }: Pick<HotFileSet, 'folder' | 'common'>): LinkSet {
  return {
    kind: 'hot',
    folder,
    sources: new Set(common.map(({ path }) => path)),
    foldersOf: ({ rules }) => (rules === undefined ? [] : [rules.folder]),
    wantedFor: ({ host, rules }: HostRuleFolders) =>
      rules === undefined
        ? []
        : common.flatMap(({ path: source, text }): WantedLink[] => {
            const name = source.slice(folder.length + 1).replace(/\.mdc?$/i, '')
            const path = `${rules.folder}/${name}${rules.ending}`
            // The folder of the rules may itself be a host's folder, so no link is needed.
            if (path === source) return []
            const { form, frontMatter } = rules
            const wanted = {
              host,
              path,
              copyPath: path,
              to: source,
              source,
              text,
              form,
              ...(frontMatter !== undefined && { frontMatter }),
            }
            return [wanted]
          }),
  }
}

/** The links of every host, because a link may remain after the host is no longer used. */
export async function checkRuleLinks(memory: RulePorts, files: HotFileSet): Promise<LinkReport> {
  return inspectLinks(memory, ruleLinkSet(files), { hosts: HOST_FOLDERS })
}

const DRIFT = {
  behind: ['copy_behind', 'is behind its source', '`cairn hot link` writes it again.'],
  edited: [
    'copy_edited',
    'is a copy that was changed by hand',
    'Move the change to its source, remove the copy, then `cairn hot link`.',
  ],
  flat: ['link_flat', 'is a link that git wrote as a file', '`cairn hot link` makes a link or a copy of it.'],
  taken: [
    'place_taken',
    'is in the place of a linked rule file, and not one of ours',
    'Move it away, or leave the host without this file.',
  ],
} as const

/** Differences between the sources and the files that hosts read. */
export function linkFindings({ plans, orphans }: LinkReport): HotFinding[] {
  const linkedHosts = new Set(
    plans.filter(({ state }) => state !== 'absent').map(({ wanted }) => wanted.host),
  )
  const drifted = plans.flatMap(({ wanted, state }): HotFinding[] => {
    if (state === 'linked' || state === 'copied') return []
    if (state === 'absent') {
      // A host without any link is skipped, because the user may have chosen not to link it.
      if (!linkedHosts.has(wanted.host)) return []
      const message = `${wanted.source} is not linked for ${wanted.host}, and others are.`
      return [
        {
          level: 'warning',
          code: 'not_linked',
          path: wanted.path,
          message,
          hint: '`cairn hot link` adds it.',
        },
      ]
    }
    const [code, what, hint] = DRIFT[state]
    const level = state === 'taken' ? 'warning' : 'error'
    return [{ level, code, path: wanted.path, message: `${wanted.path} ${what} (${wanted.source}).`, hint }]
  })
  const broken = orphans.map(({ path, what }): HotFinding => {
    const isEdited = what === 'edited copy'
    const is = what === 'broken link' ? 'is a link whose source is gone' : 'is a copy whose source is gone'
    return {
      level: 'error',
      code: isEdited ? 'copy_edited' : 'link_broken',
      path,
      message: `${path} ${is}${isEdited ? ', changed by hand' : ''}.`,
      hint: isEdited ? 'Copy what you still need, then remove the file.' : '`cairn hot link` removes it.',
    }
  })
  return [...drifted, ...broken]
}
