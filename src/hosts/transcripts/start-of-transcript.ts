import { readStart } from '../../kernel/system/plain-file.ts'

/** Of a transcript as much as has its first lines, in which the folder is named. */
const START_BYTES = 262_144
const SOON_BYTES = 16_384
const CWD = /"cwd"\s*:\s*("(?:[^"\\]|\\.){1,4096}")/

let buffer: Uint8Array | undefined

/** The first bytes as text; '' when it is no plain file. */
export function startOf(file: string, bytes = SOON_BYTES): string {
  buffer ??= new Uint8Array(START_BYTES)
  const read = readStart(file, buffer.subarray(0, bytes)) ?? 0
  return new TextDecoder().decode(buffer.subarray(0, read))
}

/** The folder that the session was had in, from its first lines. */
export function cwdIn(start: string): string | undefined {
  const found = CWD.exec(start)?.[1]
  if (found === undefined) return undefined
  try {
    return JSON.parse(found) as string
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export function cwdOfTranscript(file: string): string | undefined {
  return cwdIn(startOf(file)) ?? cwdIn(startOf(file, START_BYTES))
}
