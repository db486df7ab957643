import type { Severity, ValidationFinding } from './finding.ts'

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
    message: 'the projection is of an older bundle',
    fix: '`cairn projections write` brings it up to date.',
  },
  edited: {
    severity: 'warning',
    message: 'the projection was edited by hand, and the next one would remove that',
    fix: 'Make entries of what was added (`cairn remember "…"`), then `cairn projections write --overwrite`.',
  },
  newer: { severity: 'warning', message: 'a newer Cairn has written the projection', fix: 'Update Cairn.' },
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
    message:
      'the markers of the entry block do not fit together, so that agents may miss the way into the memory',
    fix: 'Remove what is left of the block and its markers, then `cairn entry-block write`.',
  },
  newer: { severity: 'warning', message: 'a newer Cairn has written the entry block', fix: 'Update Cairn.' },
  unreadable: {
    severity: 'error',
    message: 'the file with the entry block cannot be read',
    fix: 'Save it as a UTF-8 text, and no link.',
  },
}

/** Whether contributors still find the right way into the memory. A file that was never written is not a problem. */
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
      message: 'the entry block that Cairn wrote is gone, so that agents may miss the way into the memory',
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
