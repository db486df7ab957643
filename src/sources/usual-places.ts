import { CairnError } from '../model/errors.ts'
import type { SourceFormat } from './source.ts'

/** Where a source of this format is when nobody says where. */
export function usualPlace(format: SourceFormat | undefined, root: string): string {
  if (format === 'git' || format === 'instructions' || format === 'cursor-rules' || format === 'adr')
    return root
  throw new CairnError({
    code: 'invalid_input',
    message:
      format === undefined
        ? 'There is nothing to import named.'
        : `A source of the format ${format} has no usual place.`,
    hint: 'Name a file or a folder; `cairn import discover` shows what can be imported here.',
  })
}
