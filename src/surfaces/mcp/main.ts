import { CairnError } from '../../kernel/model/errors.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { type Options, serve } from './serve.ts'

/** `cairn mcp [--root <folder>] [--all-tools]`: serves until its host ends. Standard output carries only the protocol. */
export async function main(argv: readonly string[]): Promise<number> {
  const options = readOptions(argv.slice(1))
  try {
    await serve(options, process)
    // After a signal the input may still be open, which would keep the process alive.
    process.stdin.destroy()
    return 0
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    process.stderr.write(`cairn: ${redact(`${error.message}\n  → ${error.hint}`).text}\n`)
    return error.exitCode
  }
}

/** For the build: runs a start and a prompt, so that a server does not have to compile them. */
export async function warmUp(): Promise<void> {
  const { walkServerPaths } = await import('./warm-up.ts')
  return walkServerPaths(serve)
}

/** Other options (help, unknown flags) are left to the whole command line, which can report them. */
function readOptions(words: readonly string[]): Options {
  let options: Options = { hasAllTools: false }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const next = words[at + 1]
    if (word === '--all-tools') options = { ...options, hasAllTools: true }
    else if (word.startsWith('--root=')) options = { ...options, root: word.slice('--root='.length) }
    else if (word === '--root' && next !== undefined) {
      options = { ...options, root: next }
      at++
    } else throw Object.assign(new Error('not in this bundle'), { handOver: true })
  }
  return options
}
