import { counted, inMemory, type Severity, type ValidationFinding } from './finding.ts'

const IGNORE_FILE = '.gitignore'

interface LocalPart {
  /** A folder ends with `/`. */
  readonly name: string
  /** When it would be committed. */
  readonly severity: Severity
  readonly why: string
  /** It brings a `.gitignore` of its own: the one of the memory need not name it. */
  readonly ignoresItself?: true
}

/** What a team does not share (spec, "On disk"). `history/` may be shared on purpose: then its line is taken out. */
const LOCAL: readonly LocalPart[] = [
  { name: 'private/', severity: 'error', why: 'the private vault is never committed' },
  { name: 'local/', severity: 'warning', why: 'unconfirmed entries are not committed', ignoresItself: true },
  {
    name: 'conversations/',
    severity: 'warning',
    why: 'whole conversations would be in the history of the project',
  },
  { name: 'sessions/', severity: 'warning', why: 'what was found in sessions is local' },
  { name: '.vault/', severity: 'warning', why: 'the index is local, and changes with every call' },
  { name: 'archive/', severity: 'note', why: 'what upkeep took away is local' },
  { name: 'history/', severity: 'note', why: 'events and the journal are local, unless a team shares them' },
  { name: 'state.json', severity: 'note', why: 'each clone makes its own with `cairn recall`' },
  { name: 'sources.json', severity: 'warning', why: 'it holds paths of this machine' },
  { name: '*.cairn-tmp', severity: 'note', why: 'temporary files' },
]

/** `text` undefined: there is no such file, and nothing is ignored. */
export function judgeIgnore(text: string | undefined): ValidationFinding[] {
  const path = inMemory(IGNORE_FILE)
  const lines = (text ?? '').split('\n').map(line => line.trim())
  const missing = LOCAL.filter(({ name, ignoresItself }) =>
    ignoresItself === true && text !== undefined ? isOverruled(name, lines) : !isIgnored(name, lines),
  )
  if (text === undefined) {
    return [
      {
        code: 'gitignore_missing',
        severity: 'error',
        path,
        message: 'without it the private vault and all conversations would be committed',
        fix: '`cairn validate --fix` writes it.',
        mend: { kind: 'ignore', lines: missing.map(({ name }) => name) },
      },
    ]
  }
  return missing.map(({ name, severity, why }) => {
    const overruled = lastOverruling(name, lines)
    return {
      code: 'gitignore_incomplete',
      severity,
      path,
      ...(overruled !== -1 && { line: overruled + 1 }),
      message:
        overruled === -1 ? `${name} is not ignored: ${why}` : `this line has ${name} committed: ${why}`,
      fix: `Add the line ${name}; \`cairn validate --fix\` does it.`,
      mend: { kind: 'ignore', lines: [name] },
    }
  })
}

function lastOverruling(name: string, lines: readonly string[]): number {
  return lines.findLastIndex(line => line.startsWith('!') && names(line.slice(1), name))
}

/** A line takes it back into git, and no later one takes it out again. */
function isOverruled(name: string, lines: readonly string[]): boolean {
  return lastOverruling(name, lines) !== -1 && !isIgnored(name, lines)
}

/** The last line that names it decides, as for git. */
function isIgnored(name: string, lines: readonly string[]): boolean {
  const last = lines.findLast(line => names(line.startsWith('!') ? line.slice(1) : line, name))
  return last !== undefined && !last.startsWith('!')
}

function names(line: string, name: string): boolean {
  const bare = name.replace(/\/$/, '')
  return [name, `/${name}`, bare, `/${bare}`, `${bare}/**`, `${bare}/*`, '*', '/*', '**'].includes(line)
}

/** What git has in spite of that: `.gitignore` does not concern what is tracked already. */
export function judgeTracked(
  tracked: readonly string[],
  ignoreText: string | undefined,
): ValidationFinding[] {
  const lines = (ignoreText ?? '').split('\n').map(line => line.trim())
  return LOCAL.flatMap(({ name, severity, why }): ValidationFinding[] => {
    const found = tracked.filter(path =>
      name.startsWith('*')
        ? path.endsWith(name.slice(1))
        : name.endsWith('/')
          ? path.startsWith(name)
          : path === name,
    )
    // Shared on purpose: somebody took the line out.
    if (found.length === 0 || (severity === 'note' && !isIgnored(name, lines))) return []
    const isFile = found.length === 1 && found[0] === name
    return [
      {
        code: 'local_part_tracked',
        severity: severity === 'error' ? 'error' : 'warning',
        path: inMemory(name.startsWith('*') ? (found[0] ?? '') : name.replace(/\/$/, '')),
        message: `git tracks ${isFile ? 'it' : `${counted(found.length, 'file')} of it`}: ${why}`,
        fix: `git rm -r --cached ${name.startsWith('*') ? `'${inMemory(`**/${name}`)}'` : inMemory(name)}, then commit. What was pushed already stays in the history.`,
      },
    ]
  })
}
