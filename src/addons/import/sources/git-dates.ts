import { readGitFields } from '../../../kernel/system/git.ts'

const MAX_COMMITS = 20_000
const PATIENCE_MS = 20_000
const MAX_FIELD_LENGTH = 4_096

/**
 * The dates of the first or last commit of the files below a folder. File times are no help: a clone was written today, however
 * old its text is. Empty if there is no history; the caller then uses the file time.
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
    // The log is newest first, so for `last` the first date counts.
    else if (name !== '' && (which === 'first' || !dates.has(name))) dates.set(name, date)
    isBehindEmpty = name === ''
  }
  return dates
}
