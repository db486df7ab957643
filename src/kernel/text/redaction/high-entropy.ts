import type { Range, Span } from './placeholder.ts'
import { looksRandom, shannonEntropy } from './randomness.ts'
import { isExample } from './stand-in.ts'

/** Seed C §13: above 4.0 bits per character in strings longer than 20. */
const ENTROPY_FLOOR_BITS = 4.0
const RUN = /[A-Za-z0-9+/_-]{21,}={0,2}/g

/** Digests, Rust and C++ symbols, and base64 that begins like an image, a font, a PDF, a certificate or an SSH public key. */
const HARMLESS_RUN =
  /^(?:sha\d{1,3}-|md5-|_ZN|iVBORw0KGgo|\/9j\/4|R0lGOD|UklGR|PHN2Z|PD94bWw|JVBERi0|AGFzbQE|d09GM|AAABAA|AAAA[BCE]\dN?[zV]|LS0tLS1CRUdJTiBDRVJU|LS0tLS1CRUdJTiBQVUJMSUMg)/
/**
 * Ids with a prefix that identifies them. Sessions, messages and tool calls of the hosts matter most: without them a memory cannot name
 * its source. Tokens have prefixes too, but none of these.
 */
const RECORD_ID =
  /^(?:ses|session|msg|message|prt|part|toolu|srvtoolu|tool|call|fc|rs|resp|req|request|chatcmpl|cmpl|run|thread|asst|step|batch|file|item|conv|evt|event|org|user|usr|proj|acct|cus|pi|pm|ch|cs|sub|si|in|inv|price|prod|txn|trace|span|job|task|dpl|prj|team|rec|tbl|app)[_-][A-Za-z0-9_-]+$/
/** Names of contents and of public accounts: IPFS CIDs, hex of both cases (Ethereum's checksummed addresses). */
const CONTENT_ID = /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|z[bd][1-9A-HJ-NP-Za-km-z]{47}|(?:0x)?[0-9a-fA-F]+)$/
/** The id of a build in the paths of Next.js. */
const BUILD_PATH = /(?:^|\/)_next\/(?:static|data)\//
/** Labels before a digest that does not carry its name: `h1:` (go.sum), `SHA256:` (SSH), `integrity="…`. */
const DIGEST_LABEL =
  /(?:sha-?\d{1,3}|md5|\bh1|checksum|digest|integrity|fingerprint|etag|if-(?:none-)?match)["']?\s?[:=]\s?(?:W\/)?["']?$/i
const DIGEST_LABEL_LENGTH = 24

/**
 * Random strings that no rule knows. Entropy alone would match long identifiers, so the run must also look random.
 *
 * Not removed although a secret could look the same: hex, UUIDs, ULIDs, lower case with digits (pod names, cuid), and the path of a URL.
 * An id of 21 or more letters of both cases and digits (nanoid, KSUID) cannot be distinguished from a key and is removed.
 */
export function findHighEntropy(
  text: string,
  runs: readonly Range[],
  harmless: readonly Range[],
  isHarmless: (decoded: string) => boolean,
): Span[] {
  const spans: Span[] = []
  let isAmazon: boolean | undefined
  let nextHarmless = 0
  for (const { start, run } of runs.flatMap(range => solidRuns(text, range))) {
    while (nextHarmless < harmless.length && (harmless[nextHarmless]?.end ?? 0) <= start) nextHarmless += 1
    if ((harmless[nextHarmless]?.start ?? Number.POSITIVE_INFINITY) <= start) continue
    if (
      !isRandomRun(run) ||
      HARMLESS_RUN.test(run) ||
      BUILD_PATH.test(run) ||
      RECORD_ID.test(run) ||
      isExample(run)
    )
      continue
    if (run.split('/').every(part => !looksRandom(part) || CONTENT_ID.test(part))) continue
    const decoded = decodeText(run)
    if (decoded !== undefined && isHarmless(decoded)) continue
    if (DIGEST_LABEL.test(text.slice(Math.max(0, start - DIGEST_LABEL_LENGTH), start))) continue
    // Exactly 40 characters of base64 near a word of Amazon's: what `aws configure` asks for second.
    isAmazon ??= /A[KS]IA[A-Z0-9]{8}|aws/i.test(text)
    const type = isAmazon && /^[A-Za-z0-9+/]{40}$/.test(run) ? 'aws_secret_key' : 'high_entropy'
    spans.push({ type, start, end: start + run.length })
  }
  return spans
}

/** The parts of a run without `.`, `:` or `%`: class names and paths are split there, base64 is not. */
function solidRuns(text: string, { start, end }: Range) {
  return Array.from(text.slice(start, end).matchAll(RUN), match => ({
    start: start + match.index,
    run: match[0],
  }))
}

/** The text that a run encodes in base64, as cursors and headers do; undefined if the bytes are not text. */
function decodeText(run: string): string | undefined {
  const base64 = run.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')
  if (base64.length % 4 === 1) return undefined
  const bytes = Uint8Array.from(atob(base64), char => char.charCodeAt(0))
  try {
    const decoded = UTF8.decode(bytes)
    return /[\u0000-\u0008\u000e-\u001f\u007f]/.test(decoded) ? undefined : decoded
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

export function isRandomRun(run: string): boolean {
  const segments = run.split(/[^A-Za-z0-9]+/)
  if (!segments.some(looksRandom)) return false
  // A path with a hashed file or build id in it: most of its segments are words.
  const words = segments.filter(segment => /^[a-z]{3,}$|^[A-Z][a-z]{2,}$/.test(segment)).length
  if (words * 2 > segments.length) return false
  return shannonEntropy(run) > ENTROPY_FLOOR_BITS
}

const DATA_URI = /data:[\w.+/;=-]{0,100};base64,[A-Za-z0-9+/=_-]*/g

export function findDataUris(text: string): Range[] {
  if (!text.includes(';base64,')) return []
  return Array.from(text.matchAll(DATA_URI), match => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}
