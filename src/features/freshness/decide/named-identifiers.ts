import { wordHashes } from './file-words.ts'

const MAX_NAMES = 31
const CODE = /`([^`\n]{3,80})`/g
/** `retryLimit`, `MAX_RETRIES`, `brief.reranker`, `close()`: words that nobody writes in prose. */
const NAME =
  /\b(?:[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w+_\w+|[A-Za-z_]\w+(?=\(\))|[a-z]\w+(?:\.[a-z]\w+)+)/g
/** A file is named by its path; that its name does not stand in the file itself says nothing. */
const FILE =
  /[\\/]|\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|py|rb|go|rs|java|kt|cs?|cpp|h|php|sh|sql|html|s?css|vue|svelte|lock|txt|env)$/i

/** The identifiers that a text names, each as the hashes of its words. */
export function nameHashes(text: string): number[][] {
  const names = new Set<string>()
  for (const [, code = ''] of text.matchAll(CODE)) if (!/\s/.test(code.trim())) names.add(code.trim())
  for (const chunk of text.replace(CODE, ' ').split(/\s+/)) {
    if (FILE.test(chunk.replace(/[.,;:!?)]+$/, ''))) continue
    for (const [name] of chunk.matchAll(NAME)) names.add(name)
  }
  const found = new Map<string, number[]>()
  for (const name of names) {
    if (FILE.test(name)) continue
    const hashes = wordHashes(new TextEncoder().encode(name))
    if (hashes.length > 0) found.set(hashes.join(' '), hashes)
  }
  return [...found.values()].slice(0, MAX_NAMES)
}
