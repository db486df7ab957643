import type { Answered, Asked } from '../../api/client.ts'

export type Found = Answered<'importDiscover'>['found'][number]
export type Format = Found['format']
type Report = Answered<'import'>
type Synced = Answered<'importSync'>['synced'][number]

/** A source of an import: found automatically, sessions of hosts, or a path from the user. */
export type ImportSource =
  | { readonly kind: 'found'; readonly key: string; readonly found: Found }
  | { readonly kind: 'sessions'; readonly key: 'sessions' }
  | { readonly kind: 'named'; readonly key: string; readonly file: string; readonly from: Format | '' }

const SESSIONS: ImportSource = { kind: 'sessions', key: 'sessions' }

export function importSourcesOf(
  found: readonly Found[],
  named: readonly Extract<ImportSource, { kind: 'named' }>[],
): readonly ImportSource[] {
  return [
    ...found.map(source => ({
      kind: 'found' as const,
      key: `${source.format} ${source.path}`,
      found: source,
    })),
    SESSIONS,
    ...named,
  ]
}

export function importInputOf(choice: Exclude<ImportSource, { kind: 'sessions' }>): Asked<'import'> {
  if (choice.kind === 'found') return { from: choice.found.format, file: choice.found.path }
  return { file: choice.file, ...(choice.from !== '' && { from: choice.from }) }
}

/** The result of an import or a dry run, for all routes. */
export interface Outcome {
  readonly added: number
  readonly duplicates: number
  readonly redacted: number
  readonly failed: number
  readonly failures: readonly {
    readonly file: string
    readonly line?: number
    readonly code: string
    readonly message: string
  }[]
  readonly went: readonly { readonly what: string; readonly to: string; readonly count: number }[]
  readonly vectorsWaiting: number
  /** The journal records of the changes, oldest first. */
  readonly records: readonly string[]
}

export function outcomeOf({
  added,
  duplicates,
  redacted,
  failed,
  failures,
  remarks,
  went,
  vectors,
  record,
}: Report): Outcome {
  return {
    added,
    duplicates,
    redacted,
    failed,
    failures: [...failures, ...remarks],
    went,
    vectorsWaiting: vectors.waiting,
    records: record === null ? [] : [record],
  }
}

/** The results of all hosts. The failure of one host does not hide the others. */
export function outcomeOfSync({ synced, problems }: Answered<'importSync'>): Outcome {
  const sum = (count: (one: Synced) => number) => synced.reduce((total, one) => total + count(one), 0)
  const broken = synced.filter(({ error }) => error !== null)
  return {
    added: sum(({ added }) => added),
    duplicates: sum(({ duplicates }) => duplicates),
    redacted: sum(({ redacted }) => redacted),
    failed: sum(({ failed }) => failed) + broken.length,
    failures: [
      ...broken.map(({ id, error }) => ({ file: id, code: 'source_failed', message: error ?? '' })),
      ...synced.flatMap(({ failures }) => failures),
      ...problems.map(({ path, code, message, hint }) => ({
        file: path,
        code,
        message: `${message} ${hint}`,
      })),
    ],
    went: synced
      .filter(({ added }) => added > 0)
      .map(({ id, added }) => ({ what: id, to: 'sessions', count: added })),
    vectorsWaiting: 0,
    records: synced.flatMap(({ record }) => record ?? []),
  }
}
