import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { main as run } from './main.ts'

declare const CAIRN_VERSION: string

export function main(argv: readonly string[]): Promise<number> {
  return run(argv, CAIRN_VERSION)
}

/** Walks the paths that must start fast, in a scratch project, so that their code is compiled (see launch.ts). */
export async function warmUp(): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'cairn-build-'))
  try {
    for (const argv of [
      ['remember', 'The worker retries failed webhooks with a back-off. #queue', '--files', 'src/worker.ts'],
      ['remember', 'As sessões ficam no Redis por uma hora.', '--kind', 'decision', '--session', 's1'],
      ['search', 'where do sessions live?', '--json'],
      ['search', 'retry webhok'],
      ['list', '--json'],
      ['list'],
      ['status'],
    ]) {
      await main([...argv, '--root', root])
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
