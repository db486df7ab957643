import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import { PROJECT_TEXT } from '../../kernel/system/paths.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { countWords } from '../validate/decide/judge-documents.ts'

/** Far more than any brief injects. */
const MAX_CHARACTERS = 200_000

export interface ProjectText {
  readonly text: string
  readonly words: number
  readonly hash: string
}

/** Without secrets that a person typed into it. The hash is of the file, so that the text can be saved again. */
export async function readProjectText(memory: Memory): Promise<ProjectText> {
  const found = describe((await memory.projectText()) ?? '')
  return { ...found, text: redact(found.text, redactionOptions(await memory.config())).text }
}

interface SavedProjectText extends Omit<ProjectText, 'text'> {
  /** The journal's record; null: nothing changed. */
  readonly record: string | null
  readonly redacted: readonly {
    readonly type: string
    readonly line: number
    readonly column: number
    readonly length: number
  }[]
}

/** Writes the text as one journaled mutation. Throws `text_changed` if it was changed in the meantime. */
export async function saveProjectText(
  memory: Memory,
  { text, expect }: { readonly text: string; readonly expect?: string | undefined },
): Promise<SavedProjectText> {
  if (text.length > MAX_CHARACTERS) {
    throw new CairnError({
      code: 'content_too_long',
      message: `The text has ${text.length} characters; the maximum is ${MAX_CHARACTERS}.`,
      hint: 'Shorten it to what every agent must know, and put the rest into entries or a document.',
    })
  }
  const { text: clean, redacted } = redact(text, redactionOptions(await memory.config()))
  const record = await memory.store.write(memory.actor, async view => {
    const before = await view.readFile(PROJECT_TEXT)
    if (expect !== undefined && textHash(before ?? '') !== expect) throw textChanged(before ?? '')
    if ((before ?? '') === clean) return null
    return {
      action: 'edit-files',
      changes: [{ type: 'file', path: PROJECT_TEXT, before: before ?? null, after: clean }],
    }
  })
  const { words, hash } = describe(clean)
  return {
    words,
    hash,
    record: record?.id ?? null,
    redacted: redacted.map(({ type, line, column, length }) => ({ type, line, column, length })),
  }
}

function describe(text: string): ProjectText {
  return { text, words: countWords(text), hash: textHash(text) }
}

function textChanged(current: string): CairnError {
  return new CairnError({
    code: 'text_changed',
    message: '_project.md was changed since it was read; nothing was written.',
    hint: 'Put both versions together, and save with the hash of the current one.',
    details: { current, hash: textHash(current) },
  })
}
