import type { Entry } from '../../model/entry.ts'
import type { Problem } from '../../model/search.ts'
import { entriesOf } from '../../pipeline/store/vault-edit.ts'
import type { VaultFile } from '../../pipeline/store/vault-file.ts'

export type Redact = (text: string) => {
  readonly text: string
  readonly redacted: readonly { type: string; line: number }[]
}

/** The entries of a file without the secrets that somebody typed into them, and a problem for each secret. */
export function safeEntries(
  file: VaultFile,
  path: string,
  redact: Redact,
): { readonly entries: Entry[]; readonly problems: Problem[] } {
  const problems: Problem[] = []
  const entries = entriesOf(file).map(entry => {
    const { text, redacted } = redact(entry.content)
    for (const { type } of redacted) {
      problems.push({
        code: 'secret_in_file',
        path,
        entry: entry.id,
        message: `Entry ${entry.id} in ${path} holds what looks like a secret (${type}). It is kept out of the index and the journal.`,
        hint: `Run \`cairn edit ${entry.id}\` to remove it from the file, and change the secret if it was shared.`,
      })
    }
    return redacted.length === 0 ? entry : { ...entry, content: text }
  })
  return { entries, problems }
}
