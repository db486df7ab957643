import type {
  BriefFormat,
  BriefItem,
  ItemOrigin,
  Selection,
  TierName,
} from '../../../kernel/model/selection.ts'
import { unmergedNote } from '../../../kernel/model/unmerged.ts'
import type { DocumentReference } from '../../../kernel/model/workspace.ts'
import { FENCES, NOTICE } from '../../../kernel/text/memory-context-lines.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { closeCodeFence, neutralise, neutraliseName } from './fence.ts'

/** In the order in which they are shown: pinned entries, seed A's text block, then the tiers of a prompt. */
const SECTIONS: readonly (readonly [tier: TierName, title: string])[] = [
  ['always-inject', 'Pinned'],
  ['project', 'Project'],
  ['handoff', 'Last Session'],
  ['rules', 'Standing Rules'],
  ['decisions', 'Relevant Decisions'],
  ['lessons', 'Relevant Lessons'],
  ['tasks', 'Open Tasks'],
  ['recovery', 'Recovering previous session'],
  ['preferences', "The user's own preferences, in every project"],
  ['context-bridge', 'Saved in this session by other agents'],
  ['retrieval', 'Relevant to this prompt'],
  ['session-summary', 'Left from the last session'],
]

const MAX_QUOTE_LENGTH = 80
const MAX_FILES_NAMED = 5
const MAX_PATH_LENGTH = 300

/**
 * The text of a selection for a host; nothing for an empty one.
 *
 *   xml       <project_memory>                        markdown  ## MEMORY CONTEXT
 *             Recorded project memory …                         Recorded project memory …
 *             Open Tasks:                                       ### Open Tasks
 *             <entry id="…" kind="task" …>                      - [task · 2026-03-16 · ana · #…] - [ ] mend the build
 *             - [ ] mend the build                              ## END OF MEMORY CONTEXT
 *             </entry>
 *             </project_memory>                       plain     the same with === and `Open Tasks:`
 */
export function renderBrief(selection: Pick<Selection, 'included'>, format: BriefFormat): string {
  if (selection.included.length === 0) return ''
  const { open, close } = FENCES[format]
  const lines = [open, NOTICE]
  for (const [tier, title] of SECTIONS) {
    const items = selection.included.filter(item => item.tier === tier)
    if (items.length === 0) continue
    lines.push(format === 'markdown' ? `### ${title}` : `${title}:`)
    for (const item of items) lines.push(renderItem(item, format))
  }
  lines.push(close)
  return lines.join('\n')
}

/** The tokens of a brief without its items. */
export function frameTokens(format: BriefFormat, tiers: readonly TierName[]): number {
  const { open, close } = FENCES[format]
  const titles = SECTIONS.filter(([tier]) => tiers.includes(tier)).map(([, title]) => `### ${title}:`)
  return estimateTokens([open, NOTICE, ...titles, close].join('\n'))
}

export type UncountedItem = Omit<BriefItem, 'tokens'> & { readonly tier: TierName }

/** The tokens of an item as it is rendered in the brief. */
export function itemTokens(item: UncountedItem, format: BriefFormat): number {
  return estimateTokens(`\n${renderItem(item, format)}`)
}

function renderItem(item: UncountedItem, format: BriefFormat): string {
  const { id, provenance, tier } = item
  const content = neutralise(item.text.trim())
  const notes = renderNotes(item)
  const whole = [content, ...notes]
  if (format === 'xml') {
    const text = whole.join('\n')
    const glue = text.includes('\n') ? '\n' : ''
    return `<entry${xmlHead(id, provenance, tier)}>${glue}${text}${glue}</entry>`
  }
  const body = format === 'markdown' ? [closeCodeFence(content), ...notes] : whole
  return `- [${listHead(id, provenance, tier)}] ${body.join('\n')}`.replace(/\n/g, '\n  ')
}

function xmlHead(id: string | undefined, provenance: ItemOrigin | undefined, tier: TierName): string {
  const document = provenance?.document
  if (document !== undefined) {
    const { kind, scope, status } = document
    const kept = [
      ...attributes([
        ['kind', kind],
        ['date', provenance?.date],
        ['scope', scope],
        ['status', status],
      ]),
    ]
    return `${kept.join('')} path="${placeOf(document)}"`
  }
  return attributes([
    ['id', id],
    ['kind', provenance?.kind ?? tier],
    ['date', provenance?.date],
    ['agent', provenance?.agent],
    ['by', writerMark(provenance)],
    ['status', statusMark(provenance)],
    ['unmerged', provenance?.unmerged],
  ]).join('')
}

function attributes(fields: readonly (readonly [name: string, value: string | undefined])[]): string[] {
  return fields.flatMap(([name, value]) => (value ? [` ${name}="${neutraliseName(value)}"`] : []))
}

/** The location of a document. An agent opens it by this path, so a path of reasonable length is not cut. */
function placeOf({ path, line }: DocumentReference): string {
  return `${neutraliseName(path, MAX_PATH_LENGTH)}${line === undefined ? '' : `:${line}`}`
}

/**
 * `decision · 2026-03-16 · ana · by machine · #1773679871839-k3f9 · pinned`: that a person wrote it needs no saying.
 * `plan · 2026-02-08 · devtools/common · done · resources/workspaces/devtools/common/_plans/260208-engine.md` of a document.
 */
function listHead(id: string | undefined, provenance: ItemOrigin | undefined, tier: TierName): string {
  const document = provenance?.document
  if (document !== undefined) {
    const { kind, scope, status } = document
    const kept = [kind, provenance?.date, scope, status].flatMap(field =>
      field ? [neutraliseName(field)] : [],
    )
    return [...kept, placeOf(document)].join(' · ')
  }
  const fields = [
    provenance?.kind ?? tier,
    provenance?.date,
    provenance?.agent,
    writerMark(provenance) && `by ${writerMark(provenance)}`,
    id && `#${id}`,
    statusMark(provenance),
    provenance?.unmerged && unmergedNote(provenance.unmerged),
  ]
  return fields.flatMap(field => (field ? [neutraliseName(field)] : [])).join(' · ')
}

/** That a person wrote an entry is the default and is not written. */
function writerMark(provenance: ItemOrigin | undefined): string | undefined {
  return provenance?.origin === 'person' ? undefined : provenance?.origin
}

/** Confirmed is the default; only the other two are written. */
function statusMark(provenance: ItemOrigin | undefined): string | undefined {
  if (provenance?.status === 'candidate') return 'unconfirmed'
  return provenance?.status === 'pinned' ? 'pinned' : undefined
}

/** Seed C, sections 11 and 15. Drift and supersession are reported in the same form. */
function renderNotes({ id, text, provenance }: Omit<BriefItem, 'tokens'>): string[] {
  const {
    changedFiles = [],
    goneFiles = [],
    supersededBy,
    newerClaim,
    conflictsWith,
  } = provenance?.marks ?? {}
  const notes: string[] = []
  if (supersededBy !== undefined)
    notes.push(`[SUPERSEDED] Entry #${neutraliseName(supersededBy)} is newer and replaces this.`)
  if (newerClaim !== undefined)
    notes.push(
      `[newer claim: #${neutraliseName(newerClaim)}] It says that it replaces this entry. Nobody has confirmed it.`,
    )
  if (conflictsWith !== undefined) {
    const other = `Entry #${neutraliseName(conflictsWith.id)} says "${quote(conflictsWith.content)}"`
    notes.push(
      `[⚠ CONFLICT] Entry #${neutraliseName(id ?? '?')} says "${quote(text)}" but ${other}. Verify which is current.`,
    )
  }
  if (changedFiles.length > 0) notes.push(`[⚠ DRIFT] Files changed since: ${namesOf(changedFiles)}.`)
  if (goneFiles.length > 0) notes.push(`[⚠ DRIFT] Files that are gone: ${namesOf(goneFiles)}.`)
  return notes
}

function namesOf(files: readonly string[]): string {
  const named = files.slice(0, MAX_FILES_NAMED).map(file => neutraliseName(file, 120))
  const more = files.length - named.length
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function quote(content: string): string {
  const line = neutralise(content).replace(/\s+/g, ' ').replace(/"/g, "'").trim()
  if (line.length <= MAX_QUOTE_LENGTH) return line
  return `${line.slice(0, MAX_QUOTE_LENGTH).replace(/[\ud800-\udbff]$/, '')}…`
}
