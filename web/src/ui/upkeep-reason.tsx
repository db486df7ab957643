import type { Answered } from '../api/client.ts'
import { type Messages, useWords } from '../language/language.tsx'

type Step = Answered<'compact'>['plan'][number]
export type Because = NonNullable<Step['items'][number]['because']>

const en = {
  reasons: {
    expired: ({ days = 0 }) => `not used for ${days} days`,
    faded: () => 'unused, and its weight is low',
    unused: ({ count = 0 }) => `injected in ${count} sessions, never used`,
    over_limit: ({ count = 0 }) => `least important of more than ${count} captured entries`,
    checkpoint_expired: ({ days = 0 }) => `${days} days old, expired`,
    checkpoint_damaged: () => 'damaged',
    session_old: ({ days = 0 }) => `inactive for ${days} days`,
    snapshot_old: ({ days = 0 }) => `${days} days old`,
    migrated: () => 'replaced by a vault',
    review: () => 'archived in the review',
    left_open: () => 'not closed',
    full: ({ count = 0 }) => `full, with ${count} entries`,
    distilled: ({ count = 0 }) => `${count} messages, already distilled`,
    old: () => 'old',
    in_archive: ({ days = 0 }) => `in the archive for ${days} days`,
    index_damaged: () => 'the index is damaged',
  } as Reasons,
  does: {
    'close sessions': 'close sessions',
    'distil conversations': 'distil conversations',
    'rebuild the index': 'rebuild the index',
    'archive entries': 'archive entries',
    'roll over': 'roll over',
    'archive checkpoints': 'archive checkpoints',
    'remove checkpoints': 'remove checkpoints',
    'trim conversations': 'trim conversations',
    'archive sessions': 'archive sessions',
    'archive events': 'archive events',
    'archive snapshots': 'archive snapshots',
    'archive old files': 'archive old files',
    'delete batches': 'delete batches',
  } as Readonly<Record<Step['does'], string>>,
}
type Reasons = Readonly<Record<Because['code'], (because: Because) => string>>

export const upkeepReasonWords: Messages<typeof en> = {
  en,
  pt: {
    reasons: {
      expired: ({ days = 0 }) => `sem uso há ${days} dias`,
      faded: () => 'sem uso e com peso baixo',
      unused: ({ count = 0 }) => `injetada em ${count} sessões, nunca usada`,
      over_limit: ({ count = 0 }) => `a menos importante de mais de ${count} entradas capturadas`,
      checkpoint_expired: ({ days = 0 }) => `tem ${days} dias, expirado`,
      checkpoint_damaged: () => 'danificado',
      session_old: ({ days = 0 }) => `inativa há ${days} dias`,
      snapshot_old: ({ days = 0 }) => `tem ${days} dias`,
      migrated: () => 'substituído por um cofre',
      review: () => 'arquivada na revisão',
      left_open: () => 'não encerrada',
      full: ({ count = 0 }) => `cheio, com ${count} entradas`,
      distilled: ({ count = 0 }) => `${count} mensagens, já destiladas`,
      old: () => 'antigo',
      in_archive: ({ days = 0 }) => `arquivado há ${days} dias`,
      index_damaged: () => 'o índice está danificado',
    },
    does: {
      'close sessions': 'encerrar sessões',
      'distil conversations': 'destilar conversas',
      'rebuild the index': 'refazer o índice',
      'archive entries': 'arquivar entradas',
      'roll over': 'mover para páginas',
      'archive checkpoints': 'arquivar checkpoints',
      'remove checkpoints': 'remover checkpoints',
      'trim conversations': 'reduzir conversas',
      'archive sessions': 'arquivar sessões',
      'archive events': 'arquivar eventos',
      'archive snapshots': 'arquivar snapshots',
      'archive old files': 'arquivar arquivos antigos',
      'delete batches': 'excluir lotes',
    },
  },
}

/** Why upkeep or a review changed an item. Renders nothing if the reason is unknown. */
export function UpkeepReason({ because }: { readonly because: Because | undefined }) {
  const words = useWords(upkeepReasonWords)
  if (because === undefined) return null
  return <span className="soft small">{words.reasons[because.code](because)}</span>
}
