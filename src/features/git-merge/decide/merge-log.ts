import { CairnError } from '../../../kernel/model/errors.ts'
import type { Merged, MergeInput } from './merge-input.ts'

interface Line {
  readonly text: string
  /** By what it is the same line on both sides. */
  readonly name: string
  /** '' where it has none that can be read: it stays behind the line before it. */
  readonly at: string
}

/**
 * Three versions of a log in one, a record a line, in the order in which things happened. A log only grows, but for old lines that
 * upkeep moves to the archive: what one side took away and the other left is gone.
 *
 * Events are the same when they have the same hash: two clones may have seen one thing.
 */
export function mergeLogs(input: MergeInput): Merged {
  const [base, ours, theirs] = [input.base, input.ours, input.theirs].map(linesOf) as [Line[], Line[], Line[]]
  const [inBase, inOurs, inTheirs] = [base, ours, theirs].map(
    lines => new Set(lines.map(({ name }) => name)),
  ) as [Set<string>, Set<string>, Set<string>]
  const stays = ({ name }: Line) => !inBase.has(name) || (inOurs.has(name) && inTheirs.has(name))
  const kept = ours.filter(stays)
  const added = theirs.filter(({ name }) => !inOurs.has(name) && !inBase.has(name))
  const lines = inOrder(kept, added)
  const eol = ours.length > 0 || theirs.length > 0 ? '\n' : ''
  return {
    bytes: new TextEncoder().encode(
      lines.map(({ text }) => text).join('\n') + (lines.length === 0 ? '' : eol),
    ),
    conflicts: [],
    remarks: [],
  }
}

/** Ours as they stand, theirs between them by their moments; neither list changes its own order. */
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
      hint: 'Mend the file by hand.',
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
