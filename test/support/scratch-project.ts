import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { onTestFinished } from 'vitest'

/** A project folder of its own for each test, removed after it. */
export function scratchProject(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = mkdtempSync(path.join(tmpdir(), 'cairn-test-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) writeIn(root, name, content)
  return root
}

export function writeIn(root: string, name: string, content: string | Uint8Array): void {
  const file = path.join(root, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
}

export function readIn(root: string, name: string): string {
  return readFileSync(path.join(root, name), 'utf8')
}
