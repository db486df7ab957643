import { rowsOf } from '../../../kernel/layout.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { parseVaultPath } from '../../../kernel/model/vault-layout.ts'
import type { FileOwner } from '../../../kernel/vault/vault-file.ts'
import { laterDocument, mergeDocuments } from './merge-document.ts'
import type { Merged, MergeInput } from './merge-input.ts'
import { mergeVaultFiles } from './merge-vault.ts'

type FileKind =
  | { readonly kind: 'vault'; readonly owner: FileOwner }
  | { readonly kind: 'document'; readonly isMachineMade: boolean }
  /** The bundle has a hash of itself, so two of them cannot be mixed; the next recall makes it again. */
  | { readonly kind: 'state' }
  | { readonly kind: 'log' }
  /** Prose, or a file of a later version: merged as text. */
  | { readonly kind: 'text' }

/** By its path in the repository: `.memory/dev/decisions/2026-11-18-….md` is a vault file in any folder. */
export function fileKindOf(path: string): FileKind {
  const parts = path.replaceAll('\\', '/').split('/')
  const name = parts
    .slice(parts.lastIndexOf('.memory') + 1)
    .filter(part => part !== '')
    .join('/')
  const [merge] = rowsOf(name).flatMap(row => row.merge ?? [])
  if (merge === 'document' || merge === 'machine_document')
    return { kind: 'document', isMachineMade: merge === 'machine_document' }
  if (merge !== undefined) return { kind: merge }
  const place = parseVaultPath(name)
  if (place === undefined) return { kind: 'text' }
  return { kind: 'vault', owner: { agent: place.agent, category: place.category } }
}

/** undefined: merge it as text. Throws if a version cannot be read; then it must be merged as text too. */
export function mergeFile(path: string, input: MergeInput): Merged | undefined {
  const file = fileKindOf(path)
  switch (file.kind) {
    case 'vault':
      return mergeVaultFiles(input, file.owner)
    case 'document':
      return mergeDocuments(input, file)
    case 'state':
      return laterDocument(input)
    case 'log':
      return mergeLogs(input)
    case 'text':
      return undefined
  }
}

interface Line {
  readonly text: string
  /** Identifies the line on both sides. */
  readonly name: string
  /** '' if it has no readable time: it isRemaining after the line before it. */
  readonly at: string
}

/**
 * Merges three versions of a log with one record a line, by time. A log only grows, except for old lines that upkeep moves to the archive:
 * a line that one side removed is gone. Events with the same hash are the same: two clones may have recorded one thing.
 */
function mergeLogs(input: MergeInput): Merged {
  const [base, ours, theirs] = [input.base, input.ours, input.theirs].map(linesOf) as [Line[], Line[], Line[]]
  const [inBase, inOurs, inTheirs] = [base, ours, theirs].map(
    lines => new Set(lines.map(({ name }) => name)),
  ) as [Set<string>, Set<string>, Set<string>]
  const isRemaining = ({ name }: Line) => !inBase.has(name) || (inOurs.has(name) && inTheirs.has(name))
  const remaining = ours.filter(isRemaining)
  const added = theirs.filter(({ name }) => !inOurs.has(name) && !inBase.has(name))
  const lines = inOrder(remaining, added)
  const eol = ours.length > 0 || theirs.length > 0 ? '\n' : ''
  return {
    bytes: new TextEncoder().encode(
      lines.map(({ text }) => text).join('\n') + (lines.length === 0 ? '' : eol),
    ),
    conflicts: [],
    remarks: [],
  }
}

/** Our lines with theirs between them, by time; neither list changes its own order. */
function inOrder(ours: readonly Line[], theirs: readonly Line[]): Line[] {
  const merged: Line[] = []
  let next = 0
  let last = ''
  for (const line of ours) {
    for (let other = theirs[next]; other !== undefined && line.at !== ''; other = theirs[next]) {
      const at = other.at === '' ? last : other.at
      if (at > line.at || (at === line.at && other.name > line.name)) break
      merged.push(other)
      last = at
      next++
    }
    merged.push(line)
  }
  merged.push(...theirs.slice(next))
  return merged
}

function linesOf(bytes: Uint8Array): Line[] {
  const lines = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text: string
  try {
    text = lines.decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new CairnError({
      code: 'document_damaged',
      message: 'one of its versions is not UTF-8',
      hint: 'Correct the file by hand.',
    })
  }
  const seen = new Set<string>()
  return text.split('\n').flatMap(line => {
    if (line.trim() === '') return []
    const read = readLine(line)
    if (seen.has(read.name)) return []
    seen.add(read.name)
    return [read]
  })
}

function readLine(text: string): Line {
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { text, name: `line ${text}`, at: '' }
  }
  const field = (key: string) => {
    const value = typeof record === 'object' && record !== null && Object.hasOwn(record, key) ? record : {}
    const found = (value as Record<string, unknown>)[key]
    return typeof found === 'string' ? found : undefined
  }
  const hash = field('contentHash')
  const id = field('id')
  const name = hash !== undefined ? `hash ${hash}` : id !== undefined ? `id ${id}` : `line ${text}`
  return { text, name, at: field('createdAt') ?? field('at') ?? '' }
}
