import type { Actor, Entry } from '../../model/entry.ts'
import type { Problem } from '../../model/search.ts'
import { entriesOf } from '../../pipeline/store/vault-edit.ts'
import type { VaultFile } from '../../pipeline/store/vault-file.ts'
import { redact } from '../../text/redaction/redact.ts'

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

const LONGEST_NAME = 200

/** Who did it comes from the environment, where a secret may be as well. */
export function safeActor(by: Actor): Actor {
  const clean = (text: string) => redact(text.slice(0, LONGEST_NAME)).text
  return {
    host: clean(by.host),
    ...(by.agent !== undefined && { agent: clean(by.agent) }),
    ...(by.session !== undefined && { session: clean(by.session) }),
    ...(by.isAgent === true && { isAgent: true }),
    ...(by.principal !== undefined && { principal: clean(by.principal) }),
  }
}
