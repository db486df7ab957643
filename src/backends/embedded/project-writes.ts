import { CairnError } from '../../model/errors.ts'
import type { Change, FileChange, FileEdits, JournaledChange } from '../../model/journal.ts'
import { applyFileEdits, fileEdits } from '../../pipeline/store/file-edits.ts'
import type { ProjectTexts, TextWrite } from '../../pipeline/store/project-texts.ts'
import { textHash } from '../../system/content-hash.ts'
import { redact } from '../../text/redaction/redact.ts'

/** Only what is certainly a secret: the files are the user's own, and their addresses stay what they are. */
const CERTAIN = { emails: false, allow: [/(?:)/] }
const GONE = '[redacted]\n'

/** The lines that change. What goes may have held a secret, which no journal keeps; what comes may not. */
export function journaledFile(change: FileChange): FileEdits {
  const made = fileEdits(change, textHash)
  for (const { added } of made.edits) {
    const [found] = redact(added.join(''), CERTAIN).redacted
    if (found !== undefined) throw secretIn(change.path, found.type)
  }
  // Line by line nothing is left of it: half a key in one line is no longer known for one, and how many lines went must stay known.
  const edits = made.edits.map(edit =>
    redact(edit.removed.join(''), CERTAIN).redacted.length === 0
      ? edit
      : { ...edit, removed: edit.removed.map(() => GONE) },
  )
  return edits.every((edit, at) => edit === made.edits[at]) ? made : { ...made, edits, lossy: true }
}

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

function secretIn(path: string, type: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `What would be written to ${path} holds a secret (${type}); nothing was written.`,
    hint: 'Take the secret out of the text, and change it if it was shared.',
  })
}
