import type { Entry } from '../model/entry.ts'
import type { JournalRecord } from '../model/journal.ts'
import { parseVaultPath } from '../model/vault-layout.ts'
import { headingText } from './entry-heading.ts'

/** One use of an edit tool on vault files. */
export interface VaultEdit {
  /** UTC ISO: when the files were written. */
  readonly at: string
  /** As the host names them. */
  readonly files: readonly string[]
  readonly text: string
}

/**
 * The clock of a file system may have a resolution of one or two seconds. A longer time would include what a person typed before the
 * prompt.
 */
const CLOCK_GRAIN_MS = 2_000

/** Anything that the journal recorded earlier existed before the agent wrote. */
export function earliestObservation(edits: readonly VaultEdit[]): string {
  const firstMs = Math.min(...edits.map(({ at }) => Date.parse(at)))
  return new Date(firstMs - CLOCK_GRAIN_MS).toISOString()
}

/**
 * Entries that these edits added to the vault and that count as a person's manual edit: new since the edit, in one of its files, every
 * line of their content written by the tool, and changed only through the vault files. `records`: the journal, newest first, back to
 * `earliestObservation`.
 */
export function agentWritten(records: readonly JournalRecord[], edits: readonly VaultEdit[]): Entry[] {
  const writings = edits.map(edit => ({
    since: earliestObservation([edit]),
    vaults: new Set(edit.files.flatMap(file => vaultOf(file) ?? [])),
    lines: linesOf(edit.text),
  }))
  const isWritten = ({ agent, category, content }: Entry, at: string): boolean => {
    const vault = `${agent}/${category}`
    const lines = writings.filter(({ since, vaults }) => since <= at && vaults.has(vault))
    const own = content.split('\n').flatMap(line => line.trim() || [])
    return own.length > 0 && own.every(line => lines.some(edit => edit.lines.has(line)))
  }
  /** The current state in the vault files, and since when; null: decided, or not only changed in files. */
  const seen = new Map<string, { readonly entry: Entry; readonly at: string } | null>()
  const written: Entry[] = []
  for (const { action, at, changes } of records)
    for (const change of changes) {
      if (change.type !== 'entry') continue
      const { before, after } = change
      const id = (after ?? before)?.id ?? ''
      if (action !== 'observe' || after === null) seen.set(id, null)
      else if (!seen.has(id)) seen.set(id, { entry: after, at })
      const now = seen.get(id)
      if (!now || after === null || !isNewWord(before, now.entry)) continue
      if (isWritten(after, at) && isWritten(now.entry, now.at)) written.push(now.entry)
      seen.set(id, null)
    }
  return written
}

/** An agent's candidate that its file tool confirmed counts as new: only a person confirms. */
function isNewWord(before: Entry | null, { status, origin }: Entry): boolean {
  const isNew = before === null || (before.origin === 'agent' && before.status === 'candidate')
  return isNew && (status !== 'candidate' || origin === 'person')
}

/** Each line as it is, and as in an entry's content: without bullet marks and escapes, a heading without date and tags. */
function linesOf(text: string): ReadonlySet<string> {
  const lines = text.split('\n').map(line => line.trim())
  return new Set([
    ...lines,
    ...lines.map(line => line.replace(/^(?:#{1,6}[ \t]+|[-*+][ \t]+|\\)/, '')),
    ...lines.filter(line => line.startsWith('#')).map(headingText),
  ])
}

/** `/home/ana/shop/.memory/Dev/decisions/2026-02.md` is `dev/decisions`, wherever the project is. */
function vaultOf(file: string): string | undefined {
  const [, path = ''] = /(?:^|\/)\.memory\/(.+)$/.exec(file.replaceAll('\\', '/')) ?? []
  const place = parseVaultPath(path)
  return place && `${place.agent}/${place.category}`
}
