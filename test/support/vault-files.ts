import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'

const NOT_VAULT = /^(?:\.vault|archive|history|sessions|conversations)(?:\/|$)/

/** Every vault file, committed and local, with what it says. Relative to the project. */
export function vaultFiles(root: string): Record<string, string> {
  const memory = path.join(root, '.memory')
  return Object.fromEntries(
    readdirSync(memory, { recursive: true, encoding: 'utf8' })
      .map(name => name.split(path.sep).join('/'))
      .filter(name => /\/.*\.md$/.test(name) && !NOT_VAULT.test(name))
      .sort()
      .map(name => [`.memory/${name}`, readFileSync(path.join(memory, name), 'utf8')]),
  )
}

/** The one vault file that says this, relative to the project. */
export function fileSaying(root: string, text: string): string {
  const found = Object.entries(vaultFiles(root)).filter(([, content]) => content.includes(text))
  const [only] = found
  if (only === undefined || found.length > 1)
    throw new Error(
      `"${text}" is in ${found.length} vault files of ${Object.keys(vaultFiles(root)).join(', ')}`,
    )
  return only[0]
}

export interface HeadEntry {
  readonly content: string
  /** `2026-09-01T10:00` */
  readonly date: string
  /** Of its comment: `kind:lesson origin:agent`. */
  readonly comment?: string
}

/** A head file as Cairn 0.1.0 wrote it: newest first. The one at `entries[7]` has the id `<its date>-h007`; two files of one memory need two marks. */
export function headFile(entries: readonly HeadEntry[], mark = 'h'): string {
  return entries
    .map((entry, n) => ({
      ...entry,
      id: `${Date.parse(`${entry.date}Z`)}-${mark}${String(n).padStart(3, '0')}`,
    }))
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .map(
      ({ id, content, date, comment = '' }) =>
        `${`<!-- id:${id} ${comment}`.trimEnd()} -->\n## ${date}\n\n${content}\n\n---\n`,
    )
    .join('\n')
}

/** As a person does it in an editor: the entry that says `text` says `by` instead, under its old heading. Returns the file. */
export function typeOver(root: string, text: string, by: string): string {
  const name = fileSaying(root, text)
  const file = path.join(root, name)
  const content = readFileSync(file, 'utf8')
  const at = content.lastIndexOf(text)
  writeFileSync(file, `${content.slice(0, at)}${by}${content.slice(at + text.length)}`)
  return name
}
