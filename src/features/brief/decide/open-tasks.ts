import type { Entry } from '../../../kernel/model/entry.ts'
import { writerOf } from '../../../kernel/model/provenance.ts'

const OPEN_BOX = /^\s*[-*] \[ \] /m
const DONE_BOX = /^\s*[-*] \[[xX]\] /

/** Whether this is an open task that a person or an agent created, or that a person accepted. */
export function isOpenTask(entry: Entry): boolean {
  if (!OPEN_BOX.test(entry.content)) return false
  return entry.status !== 'candidate' || writerOf(entry) === 'person' || writerOf(entry) === 'agent'
}

/** The entry without its finished boxes. */
export function withOpenBoxes(entry: Entry): Entry {
  const lines = entry.content.split('\n')
  const open = lines.filter(line => !DONE_BOX.test(line))
  return open.length === lines.length ? entry : { ...entry, content: open.join('\n').trim() }
}
