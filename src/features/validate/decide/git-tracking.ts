import { ignoredRows, LAYOUT, type MemoryFile, matchesRow } from '../../../kernel/layout.ts'
import { counted, inMemory, type ValidationFinding } from './finding.ts'

/** What must not be committed. `history/` may be shared on purpose: then its line is removed. */
const LOCAL = ignoredRows().flatMap(({ path: name, ifTracked, hasOwnGitignore }: MemoryFile) => {
  const [severity, why] = ifTracked ?? []
  return severity === undefined || why === undefined ? [] : [{ name, severity, why, hasOwnGitignore }]
})

/** `text` undefined: there is no `.gitignore`. */
export function judgeIgnore(text: string | undefined): ValidationFinding[] {
  const path = inMemory(LAYOUT.gitignore.path)
  const lines = (text ?? '').split('\n').map(line => line.trim())
  const missing = LOCAL.filter(({ name, hasOwnGitignore }) =>
    hasOwnGitignore === true && text !== undefined ? isOverruled(name, lines) : !isIgnored(name, lines),
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

/** A line makes git track it again, and no later one makes git ignore it. */
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

/** What git tracks nevertheless: `.gitignore` does not apply to what is tracked already. */
export function judgeTracked(
  tracked: readonly string[],
  ignoreText: string | undefined,
): ValidationFinding[] {
  const lines = (ignoreText ?? '').split('\n').map(line => line.trim())
  return LOCAL.flatMap(({ name, severity, why }): ValidationFinding[] => {
    const found = tracked.filter(path => matchesRow(path, { path: name }))
    // Shared on purpose: a person removed the line.
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
