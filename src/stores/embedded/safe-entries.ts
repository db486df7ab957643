import type { Entry } from '../../kernel/model/entry.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { redact as redactText } from '../../kernel/text/redaction/redact.ts'
import { entriesOf } from '../../kernel/vault/vault-edit.ts'
import type { VaultFile } from '../../kernel/vault/vault-file.ts'
import type { EntrySegment } from '../../kernel/vault/vault-segments.ts'

export type Redact = (text: string) => {
  readonly text: string
  readonly redacted: readonly { type: string; line: number }[]
}

/** Ids and prints look random: in them only what is certainly a secret counts. */
const CERTAIN = { emails: false, allow: [/(?:)/] }
/** No secret is shorter, and most tags and names are. */
const MIN_SECRET = 12

/** The entries of a file without the secrets that somebody typed into them, and a problem for each secret. */
export function safeEntries(
  file: VaultFile,
  path: string,
  redact: Redact,
): { readonly entries: Entry[]; readonly problems: Problem[] } {
  const segments = new Map<Entry, EntrySegment>()
  for (const segment of file.segments) if (segment.type === 'entry') segments.set(segment.entry, segment)
  const problems: Problem[] = []
  const entries = entriesOf(file).map(entry => {
    const segment = segments.get(entry)
    const types: string[] = []
    const clean = (text: string, by: Redact = redact): string => {
      const { text: safe, redacted } = by(text)
      for (const { type } of redacted) types.push(type)
      return safe
    }
    const cleaned = {
      content: clean(entry.content),
      tags: entry.tags.filter(tag => {
        const typed = asTyped(tag, segment?.raw ?? '')
        return clean(typed) === typed
      }),
      files: entry.files.map(name => (name.length < MIN_SECRET ? name : clean(name))),
      session: entry.session && clean(entry.session, certain),
      extra: entry.extra && cleanValues(entry.extra, text => clean(text, certain)),
    }
    for (const type of types) {
      problems.push({
        code: 'secret_in_file',
        path,
        ...(segment !== undefined && { line: segment.line }),
        entry: entry.id,
        message: `Entry ${entry.id} in ${path} holds what looks like a secret (${type}). It is kept out of the index and the journal.`,
        hint: `Run \`cairn edit ${entry.id}\` to remove it from the file, and change the secret if it was shared.`,
      })
    }
    if (types.length === 0) return entry
    const { content, tags, files, session, extra } = cleaned
    return { ...entry, content, tags, files, ...(session && { session }), ...(extra && { extra }) }
  })
  return { entries, problems }
}

function certain(text: string) {
  return redactText(text, CERTAIN)
}

function cleanValues(extra: Readonly<Record<string, string>>, clean: (text: string) => string) {
  return Object.fromEntries(Object.entries(extra).map(([key, value]) => [key, clean(value)]))
}

/** A tag is in lower case, in which no key is found any more. */
function asTyped(tag: string, raw: string): string {
  if (tag.length < MIN_SECRET) return tag
  const at = raw.toLowerCase().indexOf(`#${tag}`)
  return at === -1 ? tag : raw.slice(at + 1, at + 1 + tag.length)
}
