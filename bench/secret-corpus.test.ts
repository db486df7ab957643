import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSecretCorpus } from './secret-corpus.ts'
import { countCorpus } from './secrets.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'secret-corpus-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, ...lines: string[]) => writeFileSync(path.join(folder, name), lines.join('\n'))

describe('readSecretCorpus', () => {
  it('reads JSON lines, under the names that other corpora use', () => {
    write(
      'a.jsonl',
      '{"text":"DB_PASS=x1y2","secret":"x1y2","kind":"context"}',
      '',
      '{"line":"commit 0f1e2d3c","category":"hashes"}',
    )
    expect(readSecretCorpus(folder)).toEqual([
      { group: 'context', text: 'DB_PASS=x1y2', secret: 'x1y2' },
      { group: 'hashes', text: 'commit 0f1e2d3c', secret: undefined },
    ])
  })

  it('reads plain lines, in which marks stand around the secret', () => {
    write('prose.txt', 'the password is «Tr0ub4dor&3».', 'the password is wrong')
    expect(readSecretCorpus(path.join(folder, 'prose.txt'))).toEqual([
      { group: 'prose', text: 'the password is Tr0ub4dor&3.', secret: 'Tr0ub4dor&3' },
      { group: 'prose', text: 'the password is wrong', secret: undefined },
    ])
  })

  it('names the line that has no text, and the one whose secret is elsewhere', () => {
    write('a.jsonl', '{"secret":"x"}')
    expect(() => readSecretCorpus(folder)).toThrow(/a\.jsonl:1 has no text/)
    write('a.jsonl', '{"text":"x","secret":"y"}')
    expect(() => readSecretCorpus(folder)).toThrow(/a\.jsonl:1: the secret is not in the text/)
  })
})

describe('countCorpus', () => {
  it('counts, by group, the secrets that are left and the lookalikes that changed', () => {
    const line = (group: string, text: string, secret?: string) => ({ group, text, secret })
    const results = [
      { line: line('context', 'pw=abc', 'abc'), stored: 'pw=[redacted:password]' },
      { line: line('context', 'pw=def', 'def'), stored: 'pw=def' },
      { line: line('hashes', 'commit 0f1e'), stored: 'commit 0f1e' },
      { line: line('hashes', 'commit 2d3c'), stored: 'commit [redacted:secret]' },
    ]
    expect(countCorpus(results)).toEqual([
      { group: 'context', secrets: 2, removed: 1, lookalikes: 0, falselyRedacted: 0 },
      { group: 'hashes', secrets: 0, removed: 0, lookalikes: 2, falselyRedacted: 1 },
    ])
  })
})
