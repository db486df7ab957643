import { readEnvironment } from '../../kernel/system/environment.ts'
import { openTerminal } from '../../kernel/system/terminal.ts'
import { OPERATIONS } from '../../verbs/all.ts'
import { main as run } from './main.ts'
import { OWN_COMMANDS } from './own-commands.ts'
import { PRESENTERS } from './presenters.generated.ts'

declare const CAIRN_VERSION: string

/** The whole command line. */
export async function main(argv: readonly string[]): Promise<number> {
  const [command, first = ''] = argv
  // As git calls it: with file names that may look like flags, and an exit code that means something else.
  const isMerge = command === 'merge-driver' && argv.length > 2 && !first.startsWith('-')
  if (isMerge && !Object.hasOwn(OPERATIONS, `${command} ${first}`)) {
    const terminal = openTerminal({ colour: readEnvironment().noColour ? false : undefined })
    return (await import('./merge-driver.ts')).runMergeDriver(argv.slice(1), terminal)
  }
  // As hosts call it: it prints nothing but an answer, and always ends with 0.
  if (command === 'hook' && argv.length > 2) return (await import('../hook/main.ts')).main(argv)
  return run(argv, {
    version: CAIRN_VERSION,
    operations: OPERATIONS,
    presenters: PRESENTERS,
    ownCommands: OWN_COMMANDS,
  })
}

/** Runs the commands whose compiled code becomes the cache (see launch.ts). */
export async function warmUp(): Promise<void> {
  const { warmUpAll } = await import('./warm-up.ts')
  await warmUpAll(main)
}
