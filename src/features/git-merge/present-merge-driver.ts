import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

function presentMergeDriver(view: AnswerOf<'merge-driver status'>, terminal: Terminal): void {
  terminal.out(
    view.installed
      ? 'git merges memory files entry by entry in this clone.\n'
      : 'git merges memory files as text here: `cairn merge-driver install` changes that.\n',
  )
  terminal.out(
    `  .memory/.gitattributes  ${view.attributes}  ${terminal.dim('committed: every clone has it')}\n`,
  )
  terminal.out(`  git config merge.cairn  ${view.config}  ${terminal.dim('of this clone only')}\n`)
  if (view.command !== null) terminal.out(terminal.dim(`  ${visible(view.command)}\n`))
}

function presentMergeDriverInstalled(view: AnswerOf<'merge-driver install'>, terminal: Terminal): void {
  if (view.changed.length === 0) {
    terminal.out('git merges memory files entry by entry in this clone already.\n')
    return
  }
  terminal.out(`${view.dryRun ? 'Would change' : 'Changed'}: ${view.changed.join(', ')}\n`)
  if (view.dryRun) return
  terminal.out(
    terminal.dim(
      'Commit .memory/.gitattributes. In every other clone, run `cairn merge-driver install` once.\n',
    ),
  )
}

function presentMergeDriverUninstalled(view: AnswerOf<'merge-driver uninstall'>, terminal: Terminal): void {
  if (view.changed.length === 0) {
    terminal.out('There was nothing to remove.\n')
    return
  }
  terminal.out(`${view.dryRun ? 'Would remove' : 'Removed'}: ${view.changed.join(', ')}\n`)
}

export const MERGE_DRIVER_PRESENTERS = {
  'merge-driver status': presentMergeDriver,
  'merge-driver install': presentMergeDriverInstalled,
  'merge-driver uninstall': presentMergeDriverUninstalled,
} satisfies Partial<Presenters>
