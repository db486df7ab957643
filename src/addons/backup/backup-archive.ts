import { CairnError } from '../../kernel/model/errors.ts'
import { openLinesWriter, readCompressedLines, UnreadableLines } from '../../kernel/system/backup-file.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import {
  type BackupHead,
  type BackupLine,
  lineOrder,
  newerFormat,
  parseBackupLine,
} from './decide/backup-line.ts'

export interface BackupWriter {
  write(line: BackupLine): Promise<void>
}

/** Writes a whole backup, or nothing: `fill` writes the lines between head and end. Returns its size. */
export async function writeBackup(
  file: string,
  head: Omit<BackupHead, 'is' | 'cairn' | 'format'>,
  fill: (writer: BackupWriter) => Promise<void>,
): Promise<number> {
  try {
    const lines = await openLinesWriter(file)
    try {
      let count = 0
      const write = async (line: BackupLine) => {
        count++
        await lines.write(JSON.stringify(line))
      }
      await write({ is: 'head', cairn: 'backup', format: 1, ...head })
      await fill({ write })
      await write({ is: 'end', lines: count, sha256: lines.digest() })
      return await lines.finish()
    } catch (error) {
      await lines.abandon()
      throw error
    }
  } catch (error) {
    throw errnoOf(error) === undefined ? error : asStorageError(error, file)
  }
}

/**
 * The lines of a backup between its head and its end. Reading to the end proves that order and hash are correct; anything else throws
 * `backup_damaged`.
 */
export async function* readBackup(file: string): AsyncGenerator<BackupLine> {
  const order = lineOrder()
  let count = 0
  let isOver = false
  try {
    for await (const { text, before } of readCompressedLines(file)) {
      if (isOver) throw damaged(file, 'it has lines after its end')
      const line = parseBackupLine(text)
      if (line === undefined) {
        const format = count === 0 ? newerFormat(text) : undefined
        if (format !== undefined) throw newer(file, format)
        throw damaged(
          file,
          count === 0 ? 'it does not begin like a backup' : `line ${count + 1} is not a line of a backup`,
        )
      }
      const wrong = order.wrong(line)
      if (wrong !== undefined) throw damaged(file, wrong)
      if (line.is === 'end') {
        if (line.lines !== count)
          throw damaged(file, `it has ${count} lines, and was written with ${line.lines}`)
        if (line.sha256 !== before()) throw damaged(file, 'its content is not what was written')
        isOver = true
      } else yield line
      count++
    }
  } catch (error) {
    if (error instanceof UnreadableLines) throw damaged(file, error.message)
    if (errnoOf(error) === 'ENOENT')
      throw new CairnError({
        code: 'file_not_found',
        message: `${file} does not exist.`,
        hint: 'Name the file that `cairn backup` wrote.',
      })
    throw errnoOf(error) === undefined ? error : asStorageError(error, file)
  }
  if (!isOver) throw damaged(file, 'its end is missing')
}

export function damaged(file: string, why: string): CairnError {
  return new CairnError({
    code: 'backup_damaged',
    message: `${file} is not a complete backup: ${why}.`,
    hint: 'Nothing was changed. Take another copy of it, or an earlier backup.',
  })
}

function newer(file: string, format: number): CairnError {
  return new CairnError({
    code: 'vault_newer',
    message: `${file} was written by a newer Cairn (format ${format}).`,
    hint: 'Update Cairn on this machine. Nothing was changed.',
  })
}
