import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { Composed } from '../../compose/composed.ts'
import { findTarget } from '../../features/entries/verbs/target.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { type Operation, parseInput } from '../../verbs/operation.ts'

/** Opens the entry's text in the person's editor and keeps what comes back, unless it changed underneath. */
export async function editInteractively(call: {
  readonly operation: Operation
  readonly input: Record<string, unknown>
  readonly engine: Composed
  readonly editor: string | undefined
  readonly askable: boolean
}): Promise<unknown> {
  if (!call.askable) {
    throw new CairnError({
      code: 'invalid_input',
      message: 'Nothing to change was given.',
      hint: 'Give --content, --kind, --tags …; on a terminal it opens $EDITOR.',
    })
  }
  const entry = await findTarget(call.engine, String(call.input.target))
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-edit-'))
  const file = path.join(folder, `${entry.id}.md`)
  try {
    writeFileSync(file, entry.content, { mode: 0o600 })
    const { spawnSync } = await import('node:child_process')
    const editor = call.editor ?? (process.platform === 'win32' ? 'notepad' : 'vi')
    const { status, error } = spawnSync(editor, [file], {
      stdio: 'inherit',
      shell: process.platform === 'win32' || editor.includes(' '),
    })
    if (error !== undefined || status !== 0) {
      throw new CairnError({
        code: 'not_confirmed',
        message: `${editor} did not end well; nothing was changed.`,
        hint: 'Set $EDITOR to your editor, or use --content.',
        cause: error,
      })
    }
    const written = readFileSync(file, 'utf8')
    // Most editors end a file with a line break that the entry did not have.
    const content = entry.content.endsWith('\n') ? written : written.replace(/\r?\n$/, '')
    return await call.operation.run(
      call.engine,
      parseInput(call.operation, { target: entry.id, content, expect: entry.content }),
      {},
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
