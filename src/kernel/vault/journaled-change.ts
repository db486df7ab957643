import { CairnError } from '../model/errors.ts'
import type { Change, FileEdits, JournaledChange, TextFileChange } from '../model/journal.ts'
import { redact } from '../text/redaction/redact.ts'
import { applyDocumentEdits, editsOf } from './document-edits.ts'
import { fileEdits } from './file-edits.ts'
import type { DocumentName, JsonObject, Mutation } from './ports.ts'

type TextHash = (text: string) => string

/** For a document or a file, only its edits are journaled. */
export function asJournaled(change: Change, hash: TextHash): JournaledChange {
  if (change.type === 'entry') return change
  if (change.type === 'file') return journaledFile(change, hash)
  return { type: 'document', name: change.name, edits: editsOf(change) }
}

/** Only certain secrets: the files are the user's own, and their addresses stay. */
const CERTAIN = { emails: false, allow: [/(?:)/] }
const GONE = '[redacted]\n'

/** The changed lines. A removed line may have contained a secret, which a journal never stores; an added line may not. */
function journaledFile(change: TextFileChange, hash: TextHash): FileEdits {
  const made = fileEdits(change, hash)
  for (const { added } of made.edits) {
    const [found] = redact(added.join(''), CERTAIN).redacted
    if (found !== undefined) throw secretIn(change.path, found.type)
  }
  // Line by line: half a key in one line is not recognised any more, and the number of removed lines must be preserved.
  const edits = made.edits.map(edit =>
    redact(edit.removed.join(''), CERTAIN).redacted.length === 0
      ? edit
      : { ...edit, removed: edit.removed.map(() => GONE) },
  )
  return edits.every((edit, at) => edit === made.edits[at]) ? made : { ...made, edits, lossy: true }
}

/** The document that a mutation was decided on. */
export function decidedOn({ changes }: Mutation, name: DocumentName): JsonObject {
  const change = changes.find(candidate => candidate.type === 'document' && candidate.name === name)
  return change?.before as unknown as JsonObject
}

/** The documents after these changes. An edit that does not find its place unchanged is skipped. */
export function documentsAfter(
  changes: readonly JournaledChange[],
  documentOf: (name: DocumentName) => JsonObject,
): { documents: Map<DocumentName, JsonObject>; refused: number } {
  const documents = new Map<DocumentName, JsonObject>()
  let refused = 0
  for (const change of changes) {
    if (change.type !== 'document') continue
    const name = change.name as DocumentName
    const before = documents.get(name) ?? documentOf(name)
    const applied = applyDocumentEdits(before, editsOf(change))
    if (applied.document !== before) documents.set(name, applied.document)
    refused += applied.refused.length
  }
  return { documents, refused }
}

function secretIn(path: string, type: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `The text for ${path} contains a secret (${type}); nothing was written.`,
    hint: 'Remove the secret from the text, and change it if it was shared.',
  })
}
