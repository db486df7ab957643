import { CairnError } from '../../kernel/model/errors.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { readOptions, type UpOptions } from './options.ts'
import { up } from './up.ts'

declare const CAIRN_VERSION: string

/** `cairn up`: serves the page and the routes of one memory until it gets a signal. */
export async function main(argv: readonly string[]): Promise<number> {
  const words = argv.slice(1)
  let options: UpOptions | undefined
  try {
    options = readOptions(words)
    return await up(options, CAIRN_VERSION)
  } catch (error) {
    const failure =
      error instanceof CairnError
        ? error
        : errnoOf(error) === undefined
          ? undefined
          : asStorageError(error, 'The memory folder')
    if (failure === undefined) throw error
    tellFailure(failure, options?.isJson ?? words.includes('--json'))
    return failure.exitCode
  }
}

/** For the build: a start and the first questions of a page, so that a server compiles nothing of them. */
export async function warmUp(): Promise<void> {
  const { walkUpPaths } = await import('./warm-up.ts')
  return walkUpPaths(CAIRN_VERSION)
}

function tellFailure({ code, message, hint }: CairnError, isJson: boolean): void {
  const clean = (text: string) => redact(text).text
  if (isJson)
    process.stdout.write(
      `${JSON.stringify({ error: { code, message: clean(message), hint: clean(hint) } })}\n`,
    )
  else process.stderr.write(`cairn: ${clean(message)}\n  → ${clean(hint)}\n`)
}
