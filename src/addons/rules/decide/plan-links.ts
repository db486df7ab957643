import { type CopyKind, readCopy, renderCopy } from './copied-text.ts'
import type { LinkForm } from './host-folders.ts'
import type { PathState } from './hot-files.ts'

/** One source in one folder of one host. */
export interface WantedLink {
  readonly host: string
  /** The path of the link or of the copy. They differ only for a skill: its folder is linked, but its file is copied. */
  readonly path: string
  readonly copyPath: string
  /** The target of the link, and the file to copy. */
  readonly to: string
  readonly source: string
  readonly text: string
  readonly form: LinkForm
  readonly frontMatter?: string
}

/**
 * How a place stands:
 *
 *   absent    nothing is there              linked, copied   as it should be
 *   behind    a copy of an older source     edited           a copy that a person changed
 *   flat      a link that git wrote as a file with its target in it, where links are switched off
 *   taken     something that is not ours
 */
type RuleLinkState = 'absent' | 'linked' | 'copied' | 'behind' | 'edited' | 'flat' | 'taken'

export interface LinkPlan {
  readonly wanted: WantedLink
  readonly state: RuleLinkState
  readonly does: 'nothing' | LinkForm
}

interface SeenLink {
  readonly wanted: WantedLink
  readonly at: PathState
  /** What exists at `copyPath`, if that is another path. */
  readonly copyAt?: PathState
}

interface LinkRules {
  readonly kind: CopyKind
  readonly hash: (text: string) => string
  /** Use copies everywhere, whatever the host reads. */
  readonly copies?: boolean
}

/** Plans one place. Never replaces a file that is not ours or that a person changed. A copy stays a copy. */
export function planLink(seen: SeenLink, rules: LinkRules): LinkPlan {
  const { wanted } = seen
  const state = stateOf(seen, rules)
  const form: LinkForm = rules.copies === true ? 'copy' : wanted.form
  const does = {
    absent: form,
    flat: form,
    behind: 'copy',
    linked: form === 'copy' && seen.at.kind === 'link' ? 'copy' : 'nothing',
    copied: 'nothing',
    edited: 'nothing',
    taken: 'nothing',
  } as const
  return { wanted, state, does: does[state] }
}

function stateOf({ wanted, at, copyAt }: SeenLink, rules: LinkRules): RuleLinkState {
  switch (at.kind) {
    case 'nothing':
      return 'absent'
    case 'link':
      return at.leadsTo === wanted.to ? 'linked' : 'taken'
    case 'behind a link':
      // If the user linked a whole folder, it contains the source itself.
      return at.real === wanted.to || at.real === wanted.source ? 'linked' : 'taken'
    case 'folder':
      return copyAt?.kind === 'file' ? stateOfCopy(copyAt.text, wanted, rules) : 'taken'
    case 'file':
      if (at.text?.trim() === targetOf(wanted)) return 'flat'
      return wanted.copyPath === wanted.path ? stateOfCopy(at.text, wanted, rules) : 'taken'
  }
}

function stateOfCopy(text: string | undefined, wanted: WantedLink, rules: LinkRules): RuleLinkState {
  const copy = text === undefined ? undefined : readCopy(text, rules.hash)
  if (copy === undefined || copy.kind !== rules.kind || copy.of !== wanted.source) return 'taken'
  if (copy.isEdited) return 'edited'
  return text === copyOf(wanted, rules) ? 'copied' : 'behind'
}

export function copyOf({ text, source, frontMatter }: WantedLink, { kind, hash }: LinkRules): string {
  return renderCopy(text, { kind, of: source, hash, ...(frontMatter !== undefined && { frontMatter }) })
}

/** A relative target, so that links still work after the project was moved. */
export function targetOf({ path, to }: Pick<WantedLink, 'path' | 'to'>): string {
  const from = path.split('/').slice(0, -1)
  const target = to.split('/')
  let shared = 0
  while (shared < from.length && from[shared] === target[shared]) shared += 1
  return [...from.slice(shared).map(() => '..'), ...target.slice(shared)].join('/')
}

/**
 * A file of ours in a host's folder without a source: a link into the folder of the sources that leads to none of them, or a copy of a
 * removed file.
 */
export function isOrphan(
  found: PathState,
  given: { readonly folder: string; readonly kind: CopyKind; readonly hash: (text: string) => string },
  sources: ReadonlySet<string>,
): 'broken link' | 'copy' | 'edited copy' | undefined {
  if (found.kind === 'link') {
    const { leadsTo } = found
    if (leadsTo?.startsWith(`${given.folder}/`) !== true) return undefined
    // A skill's folder may exist without its file.
    const isGone = given.kind === 'skill' ? !sources.has(`${leadsTo}/SKILL.md`) : found.isBroken
    return isGone ? 'broken link' : undefined
  }
  if (found.kind !== 'file' || found.text === undefined) return undefined
  const copy = readCopy(found.text, given.hash)
  if (copy?.kind !== given.kind || sources.has(copy.of)) return undefined
  return copy.isEdited ? 'edited copy' : 'copy'
}
