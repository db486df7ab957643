import { fstatSync, statSync, writeSync } from 'node:fs'

/** The terminal functions of the command line. Colours and questions only if a person uses it. */
export interface Terminal {
  readonly isInteractive: boolean
  readonly width: number
  out(text: string): void
  err(text: string): void
  bold(text: string): string
  dim(text: string): string
  accent(text: string): string
  good(text: string): string
  bad(text: string): string
  /** A progress bar on standard error that updates in place; nothing if that is not a terminal. */
  progress(done: number, total: number | undefined, what: string): void
  endProgress(): void
  ask(question: string): Promise<string>
}

const BAR_WIDTH = 24
const PIPE_WIDTH = 100

export function openTerminal(options: { colour: boolean | undefined }): Terminal {
  const colour = options.colour ?? isTerminal(1)
  const paint = (code: string) => (text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  let barShown = false

  return {
    get isInteractive() {
      return isTerminal(0) && isTerminal(1)
    },
    get width() {
      // A terminal that does not know its width says 0.
      return isTerminal(1) ? process.stdout.columns || PIPE_WIDTH : PIPE_WIDTH
    },
    out: text => write(1, inert(text)),
    err: text => write(2, inert(text)),
    bold: paint('1'),
    dim: paint('2'),
    accent: paint('36'),
    good: paint('32'),
    bad: paint('31'),
    progress(done, total, what) {
      if (!isTerminal(2)) return
      barShown = true
      const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total)
      const bar =
        share === undefined
          ? ''
          : `${'█'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░')} ${Math.floor(share * 100)} % `
      const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`
      write(2, `\r\u001b[2K${bar}${done.toLocaleString('en')}${of} ${what}`)
    },
    endProgress() {
      if (barShown) write(2, '\r\u001b[2K')
      barShown = false
    },
    async ask(question) {
      const { createInterface } = await import('node:readline/promises')
      const lines = createInterface({ input: process.stdin, output: process.stderr })
      try {
        return (await lines.question(question)).trim()
      } finally {
        lines.close()
      }
    },
  }
}

/** Control sequences other than the styles above. `visible` shows them as text; this removes them from text that no presenter cleaned. */
const STEERING = /\u001b(?!\[(?:0|1|2|31|32|36)m)|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f]/g

function inert(text: string): string {
  return text.replace(STEERING, '\ufffd')
}

/**
 * Directly to the descriptor: Node's streams cost a cold start 5 ms, and a short process does not need them. If the reader is gone
 * (`cairn list | head`), writing ends, and the command continues.
 */
function write(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text)
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(descriptor, bytes, offset)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') return
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

/** Handles most cases (a file, a pipe, /dev/null) without loading the terminal module. */
function isTerminal(descriptor: 0 | 1 | 2): boolean {
  const stat = fstatSync(descriptor)
  if (!stat.isCharacterDevice()) return false
  if (process.platform !== 'win32' && stat.rdev === statSync('/dev/null').rdev) return false
  const stream = descriptor === 0 ? process.stdin : descriptor === 1 ? process.stdout : process.stderr
  return stream.isTTY === true
}
