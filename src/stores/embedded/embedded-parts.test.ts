import { describe, expect, it } from 'vitest'
import type { FileStamp } from '../../kernel/system/disk.ts'
import { type DocumentState, knownDocuments } from './embedded-parts.ts'

function desk(nowMs: number) {
  const state: {
    stamp: FileStamp | undefined
    beside: FileStamp | undefined
    loaded: DocumentState
    nowMs: number
    loads: number
  } = {
    stamp: { size: 20, mtimeMs: 1_000_000.5, inode: 7 },
    beside: undefined,
    loaded: { kind: 'read', document: { n: 1 }, restored: false, inConflict: false },
    nowMs,
    loads: 0,
  }
  const documentNow = knownDocuments({
    load: () => {
      state.loads++
      return state.loaded
    },
    stamps: () => [state.stamp, state.beside],
    nowMs: () => state.nowMs,
  })
  return { state, ask: () => documentNow('curation.json') }
}

describe('a document', () => {
  it('is loaded once while its file is the same', () => {
    const { state, ask } = desk(2_000_000)
    expect([ask(), ask(), ask()].map(({ document }) => document)).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }])
    expect(state.loads).toBe(1)
  })

  it.each([
    ['size', { size: 21 }],
    ['time', { mtimeMs: 1_000_001.5 }],
    ['inode', { inode: 8 }],
  ])('is loaded again when its %s is another', (_, other) => {
    const { state, ask } = desk(2_000_000)
    ask()
    if (state.stamp !== undefined) state.stamp = { ...state.stamp, ...other }
    state.loaded = { kind: 'read', document: { n: 2 }, restored: false, inConflict: false }
    expect(ask().document).toEqual({ n: 2 })
  })

  it('is loaded again when it was read within the grain of the clock of its file system', () => {
    const fine = desk(1_000_020)
    fine.ask()
    fine.state.nowMs = 1_000_100
    fine.ask()
    fine.ask()
    expect(fine.state.loads).toBe(2)
    const coarse = desk(1_001_500)
    coarse.state.stamp = { size: 20, mtimeMs: 1_000_000, inode: 7 }
    coarse.ask()
    coarse.ask()
    expect(coarse.state.loads).toBe(2)
  })

  it('is loaded again when the second of its files comes or changes', () => {
    const { state, ask } = desk(2_000_000)
    ask()
    state.beside = { size: 9, mtimeMs: 1_000_000.5, inode: 8 }
    ask()
    state.beside = { size: 10, mtimeMs: 1_000_000.5, inode: 8 }
    ask()
    ask()
    expect(state.loads).toBe(3)
  })

  it('that is not there is looked for again, and not read', () => {
    const { state, ask } = desk(2_000_000)
    const there = state.stamp
    state.stamp = undefined
    ask()
    ask()
    expect(state.loads).toBe(1)
    state.stamp = there
    ask()
    expect(state.loads).toBe(2)
  })

  it('that is damaged, or restored from its backup, is loaded every time', () => {
    const { state, ask } = desk(2_000_000)
    for (const loaded of [
      { kind: 'damaged', reason: 'half of it', restored: false, inConflict: false },
      { kind: 'read', document: { n: 1 }, restored: true, inConflict: false },
    ] as const) {
      state.loaded = loaded
      state.loads = 0
      ask()
      ask()
      expect(state.loads).toBe(2)
    }
  })
})
