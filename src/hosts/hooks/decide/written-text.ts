import { isFields, ownField, type PayloadFields, textField } from './payload-fields.ts'

/** The fields in which the tools of the hosts have the text that they write into a file. */
const TEXT_FIELDS = ['content', 'contents', 'file_text', 'new_string', 'newString', 'new_str', 'insert_text']
export const PATCH_FIELDS = ['patch', 'input', 'patchText', 'command'] as const
const PATCH_BEGIN = '*** Begin Patch'
const MAX_EDITS = 200

/** The text that an edit tool writes, one edit below the other; undefined: the host does not report it. */
export function writtenText(input: unknown): string | undefined {
  const fields = isFields(input) ? input : {}
  const patch = typeof input === 'string' ? input : textField(fields, ...PATCH_FIELDS)
  const edits = ownField(fields, 'edits')
  const texts = [
    ...textsOf(fields),
    ...(Array.isArray(edits) ? edits.slice(0, MAX_EDITS).filter(isFields).flatMap(textsOf) : []),
    ...(patch?.includes(PATCH_BEGIN) ? [addedLines(patch)] : []),
  ].filter(text => text !== '')
  return texts.length === 0 ? undefined : texts.join('\n')
}

function textsOf(fields: PayloadFields): string[] {
  return TEXT_FIELDS.flatMap(name => textField(fields, name) ?? [])
}

function addedLines(patch: string): string {
  return patch
    .split('\n')
    .flatMap(line => (line.startsWith('+') ? line.slice(1) : []))
    .join('\n')
}
