import { main } from './main.ts'

declare const CAIRN_VERSION: string

main(process.argv.slice(2), CAIRN_VERSION).then(
  exitCode => {
    process.exitCode = exitCode
  },
  error => {
    // Only a fault of our own gets here: every expected failure is a CairnError, and main has shown it.
    process.stderr.write(`cairn: ${error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 1
  },
)
