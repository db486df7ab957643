import type { Entry } from '../../../kernel/model/entry.ts'
import { canonicalJson } from '../../../kernel/model/json-value.ts'
import { PRIVATE_VAULT } from '../../../kernel/model/vault-layout.ts'

/** Whether a hub may know of it. Whatever is no entry of a vault (conversations, sessions, events, the archive, settings) is not asked about: it stays. */
export function isShared({ agent }: Pick<Entry, 'agent'>): boolean {
  return agent !== PRIVATE_VAULT
}

/** A text that stands for another: the same text, the same print. Given from outside, as whoever shares must all take the same. */
export type Print = (text: string) => string

/** An entry is never changed in place, and a sync asks for its print at every step. */
const printsOf = new WeakMap<Print, WeakMap<Entry, string>>()

/** What an entry says, all of it, as one print: two with the same print are the same version. */
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

/** Half of what a hub takes in one body, and 32 times what `vault.maxEntryBytes` allows by itself: a longer one was typed into a file. */
export const MAX_ENTRY_BYTES = 512 * 1024

/** As it goes over the wire. */
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
