/**
 * The kind of an error, by its cause:
 *
 * assertion    a test says that the code does not do what it should: ordinary work
 * code         the compiler, the linter or the runtime says that the code is wrong: ordinary work too
 * environment  something that the code needs is missing or wrong: a service, a package, a version, a permission
 * other        anything else
 */
type ErrorKind = 'assertion' | 'code' | 'environment' | 'other'

export interface MainError {
  readonly line: string
  readonly kind: ErrorKind
}

const READ_CHARACTERS = 16_000
const MAX_LINE_LENGTH = 200
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g

const ENVIRONMENT =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EADDRINUSE|EACCES|EPERM|EMFILE|ENOSPC|ETIMEDOUT|EAI_AGAIN|connection refused|could not connect|no such host|address already in use|port \d+ is (?:already )?(?:in use|allocated)|permission denied|command not found|not recognized as|cannot find (?:module|package)|module ?not ?found|no module named|(?:no matching|unresolved|missing) (?:version|dependency|package|peer)|peer dep|ERESOLVE|EBADENGINE|unsupported engine|requires (?:node|python|go|rust|java)|version (?:mismatch|conflict)|incompatible (?:with|version)|out of memory|heap limit|OOM|killed|certificate|SSL|TLS|handshake|timed? ?out|authentication failed|unauthori[sz]ed|forbidden|\b40[13]\b|env(?:ironment)? (?:var|variable)|is not set\b|missing (?:env|config)|failed to (?:load|resolve|fetch|pull|download|start|connect)|could not (?:resolve|find|load|read)|cannot connect|no space left|read-only file system|lock(?:ed|file)|database .{0,40}does not exist|role .{0,40}does not exist|relation .{0,40}does not exist|no such table|migration|dlopen|shared librar|GLIBC|node-gyp|native (?:module|binding)|ERR_DLOPEN|ERR_REQUIRE_ESM|ERR_UNKNOWN_FILE_EXTENSION|ERR_MODULE_NOT_FOUND|unknown (?:option|flag|argument|compiler option)|invalid (?:option|flag|configuration)|docker daemon|no such (?:image|container|service)|browser(?:Type)?\.launch|executable doesn't exist/i
const ASSERTION =
  /assertion(?:error| failed| `)|\bassert(?:ed)?\b|expected\b.{0,120}\b(?:to |but|got|received|actual|found)|expect\(|\breceived:|toEqual|toBe\b|\bnot ok \d|--- FAIL|^\s*(?:✗|✕|×|FAIL(?:ED)?)\s|failures?:|should (?:have|be|equal|return)/i
const CODE =
  /\bTS\d{3,5}\b|\berror\[E\d{4}\]|\b(?:Type|Reference|Syntax|Range|Name|Attribute|Indentation|Key|Index|Value|UnboundLocal)Error\b|\bNullPointerException\b|\bundefined: |\bcannot find symbol|\bexpected (?:one of|`|;|identifier|expression)|unused (?:variable|import)|is declared but|\b[EFW]\d{3,4}\b|no-[a-z-]+$|lint\/\w+|mismatched types|is not (?:assignable|a function|defined|callable)|has no attribute|unexpected token|cannot use .{1,60} as/i

/** Each line scores by its first match. */
const POINTS: readonly (readonly [RegExp, number])[] = [
  [/^\s*(?:at\s|File "|\d+ \||~+|\^+|>\s*\d+\s*\||node:internal|#\d+ )/, 0],
  [
    /\b0 (?:errors?|fail(?:ed|ures?|ing)?|problems?)\b|A complete log of this run|ELIFECYCLE|exit(?:ed)? with (?:code|status)|^\s*(?:npm \S+ )?Exit (?:code|status)|Process completed|This is probably not a problem with npm|Command failed with exit/i,
    0,
  ],
  [
    /^\s*(?:Test (?:Files|Suites)|Tests|Snapshots|Time|Ran all|Duration|Start at|Test result|test result)\b/,
    0,
  ],
  [
    /^\s*(?:E\s+)?(?:Uncaught |Unhandled )?(?:[\w.]*\.)?[A-Z]\w*(?:Error|Exception|Panic|Failure|Timeout)\b[^\w]/,
    6,
  ],
  [/\berror(?:\[\w+\]|\s+[A-Z]{1,4}\d+)?:\s+\S/i, 5],
  [
    /^\s*(?:fatal|panic):|panicked at|^\s*Caused by:|^\s*npm (?:ERR!|error) (?:code|ERESOLVE|Could|Cannot|notsup|enoent)/i,
    5,
  ],
  [
    /command not found|No such file or directory|Cannot find|ENOENT|EACCES|EADDRINUSE|ECONNREFUSED|permission denied|undefined reference|unresolved import|failed to (?:resolve|load|connect|start)|could not (?:resolve|find|connect)/i,
    5,
  ],
  [/^E\s{2,}\S/, 4],
  [/^\s*(?:FAILED|FAIL|✗|✕|×|not ok|--- FAIL)[\s:]/, 3],
  [/\b(?:error|exception|fatal|invalid|missing|denied|refused|unsupported|conflict)\b/i, 2],
  [/\bfail(?:ed|ure|s)?\b/i, 1],
]

/** The line of an output that says what went wrong, on its own; undefined if there is none. */
export function mainError(output: string): MainError | undefined {
  const lines = output.slice(-READ_CHARACTERS).replace(ANSI, '').split(/\r?\n/)
  // In a traceback the last line names the error; a compiler's first error causes the others.
  const lastWins = lines.some(line => /^\s*Traceback \(most recent call last\)/.test(line))
  let best: { line: string; points: number } | undefined
  for (const line of lines) {
    if (line.trim() === '' || line.length > 2_000) continue
    const points = POINTS.find(([pattern]) => pattern.test(line))?.[1] ?? 0
    if (points === 0) continue
    if (best === undefined || points > best.points || (lastWins && points === best.points))
      best = { line, points }
  }
  if (best === undefined) return undefined
  const line = tidy(best.line)
  return line === '' ? undefined : { line, kind: kindOf(line, lines) }
}

function kindOf(line: string, lines: readonly string[]): ErrorKind {
  if (ASSERTION.test(line)) return 'assertion'
  if (ENVIRONMENT.test(line)) return 'environment'
  if (CODE.test(line)) return 'code'
  // `FAILED tests/test_a.py` alone is not enough; the lines around it are.
  return lines.some(other => /AssertionError|^\s*(?:E\s+)?assert |expect\(|Expected:|Received:/.test(other))
    ? 'assertion'
    : 'other'
}

function tidy(line: string): string {
  const plain = line
    .replace(/^\s*(?:E\s{2,}|\[\d{1,2}:\d\d:\d\d[^\]]*\]\s*|\d{4}-\d\d-\d\d[T ][\d:.,Z]+\s*|[│|❯●•]\s*)/u, '')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length <= MAX_LINE_LENGTH ? plain : `${plain.slice(0, MAX_LINE_LENGTH - 1).trimEnd()}…`
}
