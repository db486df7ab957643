import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { noteNames } from './note-name.ts'
import { conflictText, readNote, renderNote, rewriteNote } from './note-text.ts'

const ENTRY: Entry = {
  id: '1773679871839-k3f9',
  agent: 'dev',
  category: 'decisions',
  kind: 'decision',
  status: 'confirmed',
  origin: 'person',
  date: '2026-03-16T16:51',
  updated: '2026-03-17T08:00:00',
  content: 'Sessions live in Redis, see [[1773679871840-aaaa|there]]. #redis',
  tags: ['redis', 'node.js', '2026'],
  files: ['src/session.ts'],
  importance: 0.8,
}
const NAMES = noteNames(
  [
    { id: '1773679871839-k3f9', path: 'dev/decisions/Sessions k3f9.md' },
    { id: '1773679871840-aaaa', path: 'dev/lessons/Why aaaa.md' },
  ],
  'Cairn/shop',
)
const rewrite = (
  text: string,
  entry: Entry,
  set: readonly (keyof Entry & ('content' | 'tags' | 'status'))[],
) => {
  const note = readNote(text)
  if (note.kind !== 'read') throw new Error(note.why)
  const result = rewriteNote({ text, note }, entry, { names: NAMES, set })
  return result.kind === 'edited' ? result.text : result.why
}

describe('a note', () => {
  it('has the properties of its entry, and below them the content', () => {
    expect(renderNote(ENTRY, NAMES)).toBe(`---
cairn: "1773679871839-k3f9"
agent: dev
category: decisions
kind: decision
status: confirmed
importance: 0.8
tags: [node-js, "_2026"]
files: [src/session.ts]
date: "2026-03-16T16:51:00"
updated: "2026-03-17T08:00:00"
aliases: ["Sessions live in Redis, see there. #redis"]
---
Sessions live in Redis, see [[Why aaaa|there]]. #redis
`)
  })

  it('keeps what its owner added, in order, with comments and line ends, when its entry changes', () => {
    const text =
      '\ufeff---\r\nowner: ana # mine\r\ncairn: "1773679871839-k3f9"\r\ntags:\r\n  - node-js\r\nstatus: candidate\r\n---\r\n\r\nOld text.\r\n\r\n'
    expect(rewrite(text, { ...ENTRY, content: 'New\ntext.' }, ['content', 'status'])).toBe(
      '\ufeff---\r\nowner: ana # mine\r\ncairn: "1773679871839-k3f9"\r\ntags:\r\n  - node-js\r\nstatus: confirmed\r\nupdated: "2026-03-17T08:00:00"\r\naliases: [New]\r\n---\r\n\r\nNew\r\ntext.\r\n\r\n',
    )
  })

  it('without properties gets its id and nothing else', () => {
    expect(rewrite('My own.\n', ENTRY, [])).toBe('---\ncairn: "1773679871839-k3f9"\n---\n\nMy own.\n')
  })

  it('whose properties are no YAML is told, with the id that a line of it looks like', () => {
    expect(readNote('---\ncairn: "1773679871839-k3f9"\na: [b\n---\nText.\n')).toMatchObject({
      kind: 'broken',
      id: '1773679871839-k3f9',
    })
    expect(readNote('---\ncairn: x-1\nno end')).toMatchObject({ kind: 'broken', id: 'x-1' })
  })

  it('says what cannot be, and that is left out', () => {
    const note = readNote('---\nstatus: done\ncategory: notes\nimportance: 7\ntags: [#a, b]\n---\nText.\n')
    expect(note).toMatchObject({ kind: 'broken' })
    const other = readNote('---\nstatus: done\ncategory: notes\nimportance: 7\ntags: ["#a", b]\n---\nText.\n')
    expect(other).toMatchObject({
      kind: 'read',
      invalid: ['category', 'status', 'importance'],
      said: { tags: ['a', 'b'] },
    })
  })

  it('of the other version of a conflict names the entry, and is nobody’s note', () => {
    expect(conflictText('---\ncairn: "x-1"\n---\nMine.\n', 'x-1')).toBe(
      '---\ncairn: ""\ncairn-conflict: x-1\n---\nMine.\n',
    )
    expect(conflictText('---\n{cairn: x-1}\n---\nMine.\n', 'x-1')).toBe(
      '---\ncairn-conflict: x-1\n---\n---\n{cairn: x-1}\n---\nMine.\n',
    )
  })
})
