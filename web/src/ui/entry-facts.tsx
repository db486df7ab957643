import type { Answered } from '../api/client.ts'
import { type Messages, useWords } from '../language/language.tsx'
import { linkTo } from '../router.ts'
import { Moment } from './moment.tsx'
import { visibleText } from './visible-text.ts'

type ShownEntry = Answered<'list'>['entries'][number]
type Kind = ShownEntry['kind']
type Status = ShownEntry['status']

const en = {
  kinds: {
    decision: 'decision',
    architecture: 'architecture',
    preference: 'preference',
    pattern: 'pattern',
    warning: 'warning',
    discovery: 'discovery',
    error: 'error',
    file_change: 'file change',
    task_progress: 'task progress',
    lesson: 'lesson',
    task: 'task',
    project: 'project',
    handoff: 'handoff',
  } as Readonly<Record<string, string>>,
  statuses: { candidate: 'candidate', confirmed: 'confirmed', pinned: 'pinned' } as Readonly<
    Record<Status, string>
  >,
  files: 'Files',
  unmerged: { ours: 'unmerged: our side', theirs: 'unmerged: their side' } as Readonly<
    Record<string, string>
  >,
}
const factWords: Messages<typeof en> = {
  en,
  pt: {
    kinds: {
      decision: 'decisão',
      architecture: 'arquitetura',
      preference: 'preferência',
      pattern: 'padrão',
      warning: 'aviso',
      discovery: 'descoberta',
      error: 'erro',
      file_change: 'mudança de arquivo',
      task_progress: 'andamento de tarefa',
      lesson: 'lição',
      task: 'tarefa',
      project: 'projeto',
      handoff: 'handoff',
    },
    statuses: { candidate: 'candidata', confirmed: 'confirmada', pinned: 'fixada' },
    files: 'Arquivos',
    unmerged: { ours: 'não mesclada: nosso lado', theirs: 'não mesclada: lado deles' },
  },
}

/** The name of a kind in the user's language. Unknown kinds keep their name. */
export function useKindName(): (kind: Kind) => string {
  const { kinds } = useWords(factWords)
  return kind => kinds[kind] ?? kind
}

export function KindChip({ kind }: { readonly kind: Kind }) {
  return <span className="chip info">{useKindName()(kind)}</span>
}

const VARIANT: Readonly<Record<Status, string>> = { candidate: 'warn', confirmed: '', pinned: 'good' }
const SIGN: Readonly<Record<Status, string>> = { candidate: '?', confirmed: '✓', pinned: '★' }

/** A symbol and a word, never the colour alone. */
export function StatusChip({ status }: { readonly status: Status }) {
  const { statuses } = useWords(factWords)
  return (
    <span className={`chip ${VARIANT[status]}`}>
      <span aria-hidden="true">{SIGN[status]} </span>
      {statuses[status]}
    </span>
  )
}

/** An entry in a git conflict is shown from both sides until it is resolved. */
export function UnmergedChip({ entry: { extra } }: { readonly entry: Pick<ShownEntry, 'extra'> }) {
  const { unmerged } = useWords(factWords)
  const words = unmerged[extra?.unmerged ?? '']
  return words === undefined ? null : (
    <span className="chip warn">
      <span aria-hidden="true">⚠ </span>
      {words}
    </span>
  )
}

export function Tags({ tags }: { readonly tags: readonly string[] }) {
  return tags.map(tag => (
    <a key={tag} className="chip tag" href={linkTo('vault', { tags: tag })}>
      #{visibleText(tag)}
    </a>
  ))
}

/** The metadata of an entry on one line that wraps. */
export function EntryFacts({ entry }: { readonly entry: ShownEntry }) {
  const words = useWords(factWords)
  return (
    <div className="facts row small">
      <KindChip kind={entry.kind} />
      <StatusChip status={entry.status} />
      <UnmergedChip entry={entry} />
      <span className="soft">{visibleText(entry.agent)}</span>
      <span className="soft">
        <Moment at={entry.updated ?? entry.date} />
      </span>
      <Tags tags={entry.tags} />
      {entry.files.length > 0 && (
        <span className="files" title={words.files}>
          <span className="unseen">{words.files}: </span>
          {entry.files.map(file => (
            <code key={file}>{visibleText(file)}</code>
          ))}
        </span>
      )}
    </div>
  )
}
