import { SUMMARY_KIND } from '../../../kernel/model/category.ts'
import { findLinks, type LinkLookup, linkTitleOf, resolveLink } from '../../../kernel/text/links.ts'
import { inMemory, shortName, type ValidationFinding } from './finding.ts'
import type { VaultFileView } from './vault-files.ts'

/**
 * Links that lead nowhere. A note and no more: what they lead to may be in `private/`, which no clone has, or still to be written.
 */
export function judgeLinks(files: readonly VaultFileView[]): ValidationFinding[] {
  const findings: ValidationFinding[] = []
  let lookup: LinkLookup | undefined
  for (const file of files) {
    for (const { entry, line } of file.entries) {
      if (entry.kind === SUMMARY_KIND) continue
      for (const { target, at } of findLinks(entry.content)) {
        lookup ??= lookupIn(files)
        const found = resolveLink(target, lookup, entry.id)
        if (found.kind !== 'dangling') continue
        findings.push({
          code: 'link_dangling',
          severity: 'note',
          path: inMemory(file.path),
          // Behind the comment, the heading and a blank line.
          line: line + 3 + linesBefore(entry.content, at),
          message:
            found.reason === 'ambiguous'
              ? `[[${shortName(target)}]] may mean several entries`
              : `[[${shortName(target)}]] leads nowhere`,
          fix: `\`cairn search\` finds what was meant; write its id: [[id|text]].`,
        })
      }
    }
  }
  return findings
}

/** Titles are folded only when a link is neither an id nor a file. */
function lookupIn(files: readonly VaultFileView[]): LinkLookup {
  const entries = files.flatMap(file => file.entries).filter(({ entry }) => entry.kind !== SUMMARY_KIND)
  const ids = new Set(entries.map(({ entry }) => entry.id))
  const vaults = new Set(files.map(({ agent, category }) => `${agent}/${category}`))
  let known: Map<string, string[]> | undefined
  const titles = () => {
    if (known !== undefined) return known
    known = new Map()
    for (const { entry } of entries) {
      const title = linkTitleOf(entry.content)
      const same = known.get(title)
      if (same === undefined) known.set(title, [entry.id])
      else same.push(entry.id)
    }
    return known
  }
  return {
    hasEntry: id => ids.has(id),
    hasVaultFile: (agent, category) => vaults.has(`${agent}/${category}`),
    idsByTitle: title => titles().get(title) ?? [],
    idsByTitlePrefix(prefix) {
      const found: string[] = []
      for (const [title, same] of titles()) {
        if (title.startsWith(prefix)) found.push(...same)
        if (found.length > 2) break
      }
      return found
    },
  }
}

function linesBefore(text: string, offset: number): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
