import type { Entry } from './pages.ts'

/** As a person would file them: a heading for each, what is known of it, and its text. */
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

/** All that is known of them, for a program. */
export function asJson(entries: readonly Entry[]): string {
  return `${JSON.stringify(entries, null, 2)}\n`
}

export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
