import { readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import type { Message } from '../src/kernel/model/message.ts'
import type { Library } from './bench.ts'
import { withTemporaryProject } from './temporary-project.ts'

export interface ClosedTranscripts {
  /** Whether this text stands anywhere below `.memory/`, the index included. */
  readonly holds: (text: string) => boolean
}

/**
 * The whole way: every transcript is a session that is appended to and closed, and then every byte of the memory is looked at.
 * `use` gets what came of it while the files are there.
 */
export function withClosedTranscripts<T>(
  library: Library,
  transcripts: ReadonlyMap<string, readonly Message[]>,
  use: (closed: ClosedTranscripts) => T,
): Promise<T> {
  return withTemporaryProject(async root => {
    const memory = await library.openMemory({ root, actor: { host: 'bench' }, vectors: 'never' })
    for (const [session, messages] of transcripts) {
      await memory.sessions.start({ session })
      await memory.sessions.append({ session }, messages)
      await memory.sessions.close(session)
    }
    // What the words of the transcripts leave in the index and in the log of briefs counts as well.
    for (const messages of transcripts.values())
      for (const { text } of messages) {
        if (text.trim() === '') continue
        await memory.brief({ prompt: text, session: 'bench' })
      }
    await memory.close()
    const files = filesBelow(path.join(root, '.memory')).map(file => readFileSync(file))
    return use({
      holds: text =>
        files.some(bytes => [text, JSON.stringify(text).slice(1, -1)].some(form => bytes.includes(form))),
    })
  })
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
}

/** Seed C, section 13: patterns, then the entropy of strings over 20 characters. */
const SEED_PATTERNS = [
  /\b(?:sk|pk|api|key)[-_][A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /[\w.+-]+@[\w-]+\.[\w.]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b[a-z][a-z0-9+]*:\/\/[^\s:/]+:[^\s@]+@\S+/gi,
]
const MAX_ENTROPY = 4

export function seedRedact(text: string): string {
  const cleaned = SEED_PATTERNS.reduce((rest, pattern) => rest.replace(pattern, '[REDACTED]'), text)
  return cleaned.replace(/[^\s"'`,;()]{21,}/g, run => (entropyOf(run) > MAX_ENTROPY ? '[REDACTED]' : run))
}

function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
