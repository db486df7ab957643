import { ignoredRows, LAYOUT, type MemoryFile, matchesRow } from '../../../kernel/layout.ts'
import { counted, inMemory, type Severity, type ValidationFinding } from './finding.ts'
import type { IndexedStamp, IndexInspector } from './ports.ts'

/** Files that must not be committed. `history/` may be shared on purpose: then its line is removed. */
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
        overruled === -1 ? `${name} is not ignored: ${why}` : `this line makes git track ${name}: ${why}`,
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

/** Private and local files that git tracks: `.gitignore` does not apply to tracked files. */
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

const PATH = '.vault/index.db'
type Inspection = Awaited<ReturnType<IndexInspector['inspect']>>

/** The index is a cache: it can be rebuilt, and may be behind. */
export function judgeIndex(inspection: Inspection, files: readonly IndexedStamp[]): ValidationFinding[] {
  const path = inMemory(PATH)
  if (inspection.kind === 'damaged')
    return [
      {
        code: 'index_damaged',
        severity: 'warning',
        path,
        message: `the index cannot be used: ${inspection.why}`,
        fix: '`cairn validate --fix` rebuilds it from the vault; nothing is lost.',
        mend: { kind: 'rebuild_index' },
      },
    ]
  if (inspection.kind === 'newer')
    return [
      {
        code: 'index_newer',
        severity: 'warning',
        path,
        message: 'a newer Cairn wrote this index, so this version reads the vault with every call',
        fix: 'Update Cairn.',
      },
    ]
  if (inspection.kind !== 'read') return []
  const known = new Map(inspection.files.map(file => [file.path, file]))
  const changed = files.filter(file => {
    const indexed = known.get(file.path)
    return indexed === undefined || indexed.size !== file.size || indexed.mtimeMs !== file.mtimeMs
  })
  const gone = inspection.files.length - (files.length - changed.filter(file => !known.has(file.path)).length)
  if (changed.length === 0 && gone <= 0) return []
  return [
    {
      code: 'index_behind',
      severity: 'note',
      path,
      message: `${counted(changed.length + Math.max(0, gone), 'vault file')} changed since the index was last read`,
      fix: 'No action is needed: the next search reads the changes.',
    },
  ]
}

/** A file that is made of the bundle, and its state. */
interface ProjectedFile {
  /** Relative to the project. */
  readonly path: string
  readonly state: string
  readonly line?: number
}

interface Rule {
  readonly severity: Severity
  readonly message: string
  readonly fix: string
}

const PROJECTION: Readonly<Record<string, Rule>> = {
  behind: {
    severity: 'warning',
    message: 'the projection was made of an older bundle',
    fix: '`cairn projections write` brings it up to date.',
  },
  edited: {
    severity: 'warning',
    message: 'the projection was edited by hand, and writing it again would remove the edit',
    fix: 'Make entries of what was added (`cairn remember "…"`), then `cairn projections write --overwrite`.',
  },
  newer: { severity: 'warning', message: 'a newer Cairn wrote the projection', fix: 'Update Cairn.' },
  foreign: {
    severity: 'note',
    message: 'the file has the name of a projection and is not one',
    fix: 'Rename it, or set `projections.folder` to another folder.',
  },
  unreadable: {
    severity: 'error',
    message: 'the projection cannot be read',
    fix: 'Save it as a UTF-8 text, or remove it and `cairn projections write`.',
  },
}

const BLOCK: Readonly<Record<string, Rule>> = {
  behind: {
    severity: 'warning',
    message: 'the entry block is an older one',
    fix: '`cairn entry-block write` brings it up to date.',
  },
  edited: {
    severity: 'warning',
    message: 'the entry block was edited between its markers',
    fix: 'Move your text out of the markers, then `cairn entry-block write --overwrite`.',
  },
  broken: {
    severity: 'error',
    message: 'the markers of the entry block do not match, so agents may not find the memory',
    fix: 'Remove the rest of the block and its markers, then `cairn entry-block write`.',
  },
  newer: { severity: 'warning', message: 'a newer Cairn wrote the entry block', fix: 'Update Cairn.' },
  unreadable: {
    severity: 'error',
    message: 'the file with the entry block cannot be read',
    fix: 'Save it as a UTF-8 text file, not as a link.',
  },
}

/** Projections and entry blocks that need attention. A file that was never written is not a problem. */
export function judgeProjected(
  projections: readonly ProjectedFile[],
  blocks: readonly ProjectedFile[],
): ValidationFinding[] {
  return [
    ...projections.flatMap(file => findingOf(file, 'projection', PROJECTION)),
    ...blocks.flatMap(file => findingOf(file, 'entry_block', BLOCK)),
  ]
}

export function judgeMissingBlock(path: string): ValidationFinding[] {
  return [
    {
      code: 'entry_block_missing',
      severity: 'warning',
      path,
      message: 'the entry block that Cairn wrote is gone, so agents may not find the memory',
      fix: '`cairn entry-block write` writes it again. To do without it: write it, then `cairn entry-block remove`.',
    },
  ]
}

function findingOf(
  { path, state, line }: ProjectedFile,
  what: string,
  rules: Readonly<Record<string, Rule>>,
): ValidationFinding[] {
  const rule = Object.hasOwn(rules, state) ? rules[state] : undefined
  if (rule === undefined) return []
  return [{ code: `${what}_${state}`, ...rule, path, ...(line !== undefined && { line }) }]
}
