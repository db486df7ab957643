import type { Entry } from './pages.ts'

/** Exports entries as Markdown: a heading, the metadata and the text of each. */
export function asMarkdown(entries: readonly Entry[]): string {
  const parts = entries.map(entry => {
    const facts = [
      entry.kind,
      entry.status,
      entry.agent,
      entry.date,
      ...entry.tags.map(tag => `#${tag}`),
      ...entry.files.map(file => `\`${file}\``),
    ]
    return `## ${entry.id}\n\n${facts.join(' · ')}\n\n${entry.content.trimEnd()}\n`
  })
  return parts.join('\n')
}

/** Exports entries as JSON. */
export function asJson(entries: readonly Entry[]): string {
  return `${JSON.stringify(entries, null, 2)}\n`
}

export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has started to read the URL by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
