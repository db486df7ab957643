import type { Entry } from '../../../kernel/model/entry.ts'
import { canonicalJson } from '../../../kernel/model/json-value.ts'
import { PRIVATE_VAULT } from '../../../kernel/model/vault-layout.ts'

/**
 * Whether an entry may be sent to a hub. Everything outside the vaults (conversations, sessions, events, the archive, settings) stays
 * local in any case.
 */
export function isShared({ agent }: Pick<Entry, 'agent'>): boolean {
  return agent !== PRIVATE_VAULT
}

/** A fingerprint of a text. Injected, because all clones must use the same function. */
export type Print = (text: string) => string

/** Cached: entries are immutable, and every step of a sync needs their fingerprints. */
const printsOf = new WeakMap<Print, WeakMap<Entry, string>>()

/** The fingerprint of all fields of an entry: equal fingerprints mean the same version. */
export function printOfEntry(entry: Entry, print: Print): string {
  const prints = printsOf.get(print) ?? new WeakMap<Entry, string>()
  printsOf.set(print, prints)
  const known = prints.get(entry)
  if (known !== undefined) return known
  const { anchors, extra, ...rest } = entry
  const made = print(
    canonicalJson({
      ...rest,
      ...(anchors !== undefined && anchors.length > 0 && { anchors }),
      ...(extra !== undefined && Object.keys(extra).length > 0 && { extra }),
    }),
  )
  prints.set(entry, made)
  return made
}

/** Half of the maximum body of a hub request, and 32 times the default of `vault.maxEntryBytes`: a longer entry was typed into a file. */
export const MAX_ENTRY_BYTES = 512 * 1024

/** As it is sent. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Whether it is longer than a hub takes. */
export function isTooLarge(entry: Entry): boolean {
  return bytesOf(entry) > MAX_ENTRY_BYTES
}

/** Of two versions that cannot be one, the kept one says of which entry it is the other version. */
export const VERSION_OF = 'version-of'

export function versionOf({ extra }: Entry): string | undefined {
  return extra?.[VERSION_OF]
}

/** By what two entries that were written apart are one: who, where, what kind and every letter. */
export function twinKey({ agent, category, kind, content }: Entry): string {
  return `${agent}\n${category}\n${kind}\n${content}`
}
