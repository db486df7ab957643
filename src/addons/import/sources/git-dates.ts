import { readGitFields } from '../../../kernel/system/git.ts'

const MAX_COMMITS = 20_000
const PATIENCE_MS = 20_000
const MAX_FIELD_LENGTH = 4_096

/**
 * When the files below a folder were committed first, or last: a clone was written today, however old what it says. Empty where there is no
 * history; then the file's own time has to do.
 */
export async function gitDates(
  folder: string,
  which: 'first' | 'last',
): Promise<ReadonlyMap<string, string>> {
  const words = [
    'log',
    '-z',
    '--no-show-signature',
    `--max-count=${MAX_COMMITS}`,
    '--name-only',
    '--no-renames',
    '--no-ext-diff',
    '--relative',
    `--diff-filter=${which === 'first' ? 'A' : 'AM'}`,
    '--format=%x00%aI%x00',
    '--',
    '.',
  ]
  const dates = new Map<string, string>()
  let date = ''
  let isBehindEmpty = true
  for await (const field of readGitFields(words, folder, {
    maxFieldLength: MAX_FIELD_LENGTH,
    patienceMs: PATIENCE_MS,
  })) {
    const name = field.replace(/^\n/, '')
    if (isBehindEmpty && /^\d{4}-\d\d-\d\dT/.test(name)) date = name
    // Newest first: of the last date the first one counts.
    else if (name !== '' && (which === 'first' || !dates.has(name))) dates.set(name, date)
    isBehindEmpty = name === ''
  }
  return dates
}
