import { CairnError } from '../../kernel/model/errors.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { type Options, serve } from './serve.ts'

/** `cairn mcp [--root <folder>] [--all-tools]`: serves until its host is gone. Standard output carries the protocol and nothing else. */
export async function main(argv: readonly string[]): Promise<number> {
  const options = readOptions(argv.slice(1))
  try {
    await serve(options, process)
    // Told to end, our input may still be open: it would keep this process.
    process.stdin.destroy()
    return 0
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    process.stderr.write(`cairn: ${redact(`${error.message}\n  → ${error.hint}`).text}\n`)
    return error.exitCode
  }
}

/** For the build: the path of a start and of a prompt, so that a server compiles nothing of it. */
export async function warmUp(): Promise<void> {
  const { walkServerPaths } = await import('./warm-up.ts')
  return walkServerPaths(serve)
}

/** Whatever else is asked (help, another flag) is for the whole command line, which knows how to say so. */
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
