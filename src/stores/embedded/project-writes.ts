import { CairnError } from '../../kernel/model/errors.ts'
import type { Change, JournaledChange } from '../../kernel/model/journal.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { applyFileEdits } from '../../kernel/vault/file-edits.ts'
import type { ProjectTexts, TextWrite } from '../../kernel/vault/ports.ts'

/** Between the decision and now somebody may have saved the file: no lock of ours keeps an editor out. */
export function textWrites(changes: readonly Change[], texts: ProjectTexts): TextWrite[] {
  return changes.flatMap(change => {
    if (change.type !== 'file') return []
    if ((texts.read(change.path) ?? null) !== change.before) throw fileChanged(change.path)
    return change.before === change.after ? [] : [{ path: change.path, text: change.after }]
  })
}

/** What a writer that died had still to write. What was written, or was changed since, stays. */
export function unfinishedWrites(changes: readonly JournaledChange[], texts: ProjectTexts): TextWrite[] {
  return changes.flatMap(change => {
    if (change.type !== 'file') return []
    const current = readable(change.path, texts)
    if (current === undefined) return []
    const edited = applyFileEdits(current.text, change, textHash)
    return edited.kind === 'edited' ? [{ path: change.path, text: edited.text }] : []
  })
}

function readable(path: string, texts: ProjectTexts): { readonly text: string | null } | undefined {
  try {
    return { text: texts.read(path) ?? null }
  } catch (error) {
    // It is something else by now; nobody waits for this write any more.
    if (error instanceof CairnError) return undefined
    throw error
  }
}

function fileChanged(path: string): CairnError {
  return new CairnError({
    code: 'file_changed',
    message: `${path} was changed by somebody else in the meantime; nothing was written.`,
    hint: 'Look at the file, then try again.',
  })
}
