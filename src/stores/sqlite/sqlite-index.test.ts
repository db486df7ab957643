import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scratchProject } from '../../../test/support/scratch-project.ts'
import { openSqliteIndex } from './open-sqlite-index.ts'
import type { SqliteIndex } from './sqlite-index.ts'

const SURVEY = { paths: ['.'], sizes: [4096], mtimesMs: [1773679871839.25], inodes: [7] }
const FILE = {
  path: 'dev/lessons.md',
  agent: 'dev',
  category: 'lessons',
  size: 1,
  mtimeMs: 1,
  inode: 1,
  checkedMs: 100,
  hash: '0',
  problems: [],
} as const

function openTwice(): [SqliteIndex, SqliteIndex] {
  const location = path.join(scratchProject(), 'index.db')
  const open = () => {
    const index = openSqliteIndex({ location, busyTimeoutMs: 1_000 }) as SqliteIndex
    onTestFinished(() => index.close())
    return index
  }
  return [open(), open()]
}

describe('a survey', () => {
  it('is read back by another process as it was', () => {
    const [one, other] = openTwice()
    one.keepSurvey(SURVEY, one.revision())
    expect(other.survey()).toEqual(SURVEY)
  })

  it('is void when a file comes, changes or goes', () => {
    const [one, other] = openTwice()
    for (const update of [{ files: [FILE] }, { removedFiles: [FILE.path] }]) {
      one.keepSurvey(SURVEY, one.revision())
      other.apply(update)
      expect(one.survey()).toBeUndefined()
    }
  })

  it('stays when only the journal moves on', () => {
    const [one] = openTwice()
    one.keepSurvey(SURVEY, one.revision())
    one.apply({ settled: { bytes: 10, records: 1 }, files: [], removedFiles: [] })
    expect(one.survey()).toEqual(SURVEY)
  })

  it('is not kept when another process has written since it was made', () => {
    const [one, other] = openTwice()
    const revision = one.revision()
    other.apply({ files: [FILE] })
    one.keepSurvey(SURVEY, revision)
    expect(one.survey()).toBeUndefined()
  })
})

describe('the stamp of the entries', () => {
  it('is another when a file was read again, by whichever process', () => {
    const [one, other] = openTwice()
    const stamps = [one.entryStamp()]
    other.apply({ files: [FILE] })
    stamps.push(one.entryStamp())
    one.apply({ files: [{ ...FILE, hash: '1' }] })
    stamps.push(one.entryStamp())
    other.apply({ removedFiles: [FILE.path] })
    stamps.push(one.entryStamp())
    expect(new Set(stamps).size).toBe(4)
  })

  it('stays when something else is written, by whichever process', () => {
    const [one, other] = openTwice()
    one.apply({ files: [FILE] })
    const stamp = one.entryStamp()
    one.recordAccess(['a'], 100)
    other.recordAccess(['b'], 100)
    expect(one.entryStamp()).toBe(stamp)
  })
})
