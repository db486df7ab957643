import type { Entry } from '../model/entry.ts'
import { compareIds } from '../model/entry-id.ts'
import { mergeTags } from '../text/tags.ts'
import { renderEntryWith } from './entry-text.ts'

/**
 * The vault as the seed has it: one file for each category, dated headings without titles, newest first.
 *
 *   dev/decisions.md   <!-- id:1773679871839-k3f9 -->
 *                      ## 2026-03-16T16:51 · #auth
 *                      …
 */
export function renderSeedVault(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const textByPath = new Map<string, string>()
  for (const entry of [...entries].sort((a, b) => compareIds(a.id, b.id))) {
    const path = `${entry.agent}/${entry.category}.md`
    const tags = mergeTags(entry.tags).map(tag => ` #${tag}`)
    const heading = tags.length === 0 ? `## ${entry.date}` : `## ${entry.date} ·${tags.join('')}`
    const text = renderEntryWith({ entry, eol: '\n', heading })
    const before = textByPath.get(path)
    textByPath.set(path, before === undefined ? text : `${before}\n${text}`)
  }
  return textByPath
}
