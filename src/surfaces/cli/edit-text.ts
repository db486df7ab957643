import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { CairnError } from '../../kernel/model/errors.ts'

/** Opens a text in the user's editor and returns what they saved. */
export async function editText(
  text: string,
  fileName: string,
  { editor: named, isInteractive }: { readonly editor: string | undefined; readonly isInteractive: boolean },
): Promise<string> {
  if (!isInteractive) {
    throw new CairnError({
      code: 'invalid_input',
      message: 'Nothing to change was given.',
      hint: 'Give --content, --kind, --tags …; on a terminal it opens $EDITOR.',
    })
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-edit-'))
  const file = path.join(folder, fileName)
  try {
    writeFileSync(file, text, { mode: 0o600 })
    const { spawnSync } = await import('node:child_process')
    const editor = named ?? (process.platform === 'win32' ? 'notepad' : 'vi')
    const { status, error } = spawnSync(editor, [file], {
      stdio: 'inherit',
      shell: process.platform === 'win32' || editor.includes(' '),
    })
    if (error !== undefined || status !== 0) {
      throw new CairnError({
        code: 'not_confirmed',
        message: `${editor} failed; nothing was changed.`,
        hint: 'Set $EDITOR to your editor, or use --content.',
        cause: error,
      })
    }
    const written = readFileSync(file, 'utf8')
    // Most editors end a file with a line break that the text did not have.
    return text.endsWith('\n') ? written : written.replace(/\r?\n$/, '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
