/** What the command line may do to the screen. Colours and questions only where a person looks. */
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
  /** A bar on standard error that rewrites itself; nothing when that is not a terminal. */
  progress(done: number, total: number | undefined, what: string): void
  endProgress(): void
  ask(question: string): Promise<string>
}

const BAR_WIDTH = 24

export function openTerminal(options: { colour: boolean | undefined }): Terminal {
  const colour = options.colour ?? process.stdout.isTTY === true
  const paint = (code: string) => (text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  let barShown = false
  // `cairn list | head` closes the pipe early: that is not an error.
  process.stdout.on('error', error => {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  })

  return {
    isInteractive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    width: process.stdout.columns ?? 100,
    out: text => void process.stdout.write(text),
    err: text => void process.stderr.write(text),
    bold: paint('1'),
    dim: paint('2'),
    accent: paint('36'),
    good: paint('32'),
    bad: paint('31'),
    progress(done, total, what) {
      if (process.stderr.isTTY !== true) return
      barShown = true
      const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total)
      const bar = share === undefined ? '' : `${'█'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░')} ${Math.floor(share * 100)} % `
      process.stderr.write(`\r\u001b[2K${bar}${done.toLocaleString('en')}${total === undefined ? '' : ` of ${total.toLocaleString('en')}`} ${what}`)
    },
    endProgress() {
      if (barShown) process.stderr.write('\r\u001b[2K')
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
