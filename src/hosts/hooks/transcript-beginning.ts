import { errnoOf, nodeDisk } from '../../kernel/system/disk.ts'

/** The first lines say how the session was started. */
const BEGINNING_BYTES = 16_384

/** undefined: there is no transcript, or it cannot be read. */
export function transcriptBeginning(file: string | undefined): string | undefined {
  if (file === undefined || !file.endsWith('.jsonl')) return undefined
  try {
    const bytes = nodeDisk.readRange(file, 0, BEGINNING_BYTES)
    return bytes && new TextDecoder().decode(bytes)
  } catch (error) {
    if (errnoOf(error) === undefined && !(error instanceof Error && 'hint' in error)) throw error
    return undefined
  }
}
