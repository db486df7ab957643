import type { Answered } from '../api/client.ts'
import { type Messages, useWords } from '../language/language.tsx'

type Step = Answered<'compact'>['plan'][number]
export type Because = NonNullable<Step['items'][number]['because']>

const en = {
  reasons: {
    expired: ({ days = 0 }) => `not used for ${days} days`,
    faded: () => 'nobody asked for it, and it counts little by now',
    unused: ({ count = 0 }) => `injected in ${count} sessions and not used`,
    over_limit: ({ count = 0 }) => `more than ${count} captured entries, and it counts least`,
    checkpoint_expired: ({ days = 0 }) => `${days} days old: nobody goes on from it any more`,
    checkpoint_damaged: () => 'cannot be read',
    session_old: ({ days = 0 }) => `untouched for ${days} days`,
    snapshot_old: ({ days = 0 }) => `${days} days old`,
    migrated: () => 'a vault has taken its place',
    review: () => 'a person let it go in the review',
    left_open: () => 'nobody closed it',
    full: ({ count = 0 }) => `full, with ${count} entries`,
    distilled: ({ count = 0 }) => `${count} messages, distilled already`,
    old: () => 'old',
    in_archive: ({ days = 0 }) => `${days} days in the archive`,
    index_damaged: () => 'the index cannot be used as it is',
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
      faded: () => 'ninguém a consultou, e já conta pouco',
      unused: ({ count = 0 }) => `injetada em ${count} sessões e não usada`,
      over_limit: ({ count = 0 }) => `mais de ${count} entradas capturadas, e é a que menos conta`,
      checkpoint_expired: ({ days = 0 }) => `tem ${days} dias: ninguém continua mais dele`,
      checkpoint_damaged: () => 'não pode ser lido',
      session_old: ({ days = 0 }) => `intocada há ${days} dias`,
      snapshot_old: ({ days = 0 }) => `tem ${days} dias`,
      migrated: () => 'um cofre tomou seu lugar',
      review: () => 'uma pessoa a deixou ir na revisão',
      left_open: () => 'ninguém a encerrou',
      full: ({ count = 0 }) => `cheio, com ${count} entradas`,
      distilled: ({ count = 0 }) => `${count} mensagens, já destiladas`,
      old: () => 'antigo',
      in_archive: ({ days = 0 }) => `${days} dias no arquivo morto`,
      index_damaged: () => 'o índice não pode ser usado como está',
    },
    does: {
      'close sessions': 'encerrar sessões',
      'distil conversations': 'destilar conversas',
      'rebuild the index': 'refazer o índice',
      'archive entries': 'arquivar entradas',
      'roll over': 'mover para páginas',
      'archive checkpoints': 'arquivar pontos de controle',
      'remove checkpoints': 'remover pontos de controle',
      'trim conversations': 'encurtar conversas',
      'archive sessions': 'arquivar sessões',
      'archive events': 'arquivar eventos',
      'archive snapshots': 'arquivar instantâneos',
      'archive old files': 'arquivar arquivos antigos',
      'delete batches': 'apagar lotes',
    },
  },
}

/** Why upkeep touched something, or a review did; nothing where that is not known. */
export function UpkeepReason({ because }: { readonly because: Because | undefined }) {
  const words = useWords(upkeepReasonWords)
  if (because === undefined) return null
  return <span className="soft small">{words.reasons[because.code](because)}</span>
}
