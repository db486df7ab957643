import { describe, expect, it } from 'vitest'
import type { StateFiles } from '../../src/features/state/decide/ports.ts'
import type { Bundle, BundleCheckpoint, ProjectState } from '../../src/kernel/model/bundle.ts'
import { bundleHashOf } from '../../src/kernel/system/digest.ts'

/** Opens the same memory again: a second process, as far as the files can tell. */
export interface StateFilesUnderTest {
  readonly open: () => Promise<{ readonly state: StateFiles; close(): Promise<void> }>
}

export const bundle = (...gotchas: string[]): Bundle => ({
  project: { name: 'shop', description: 'Sells things.' },
  projectMap: {
    languages: [{ name: 'TypeScript', files: 12 }],
    packages: [{ name: 'shop', path: 'package.json', kind: 'npm' }],
    entryPoints: [{ path: 'src/main.ts', what: 'main' }],
    scripts: [{ name: 'test', command: 'vitest run', path: 'package.json' }],
    folders: [{ path: 'src', files: 12 }],
  },
  currentFocus: [{ text: 'Payments.', since: '2026-03-16T10:00:00.000Z', sources: ['entry:a1'] }],
  gotchas: gotchas.map(text => ({ text, since: '2026-03-16T10:00:00.000Z', sources: ['event:e1'] })),
  nextSteps: [
    {
      text: 'Rotate the keys.',
      since: '2026-03-16T10:00:00.000Z',
      sources: ['entry:a2'],
      files: ['src/keys.ts'],
    },
  ],
  validationCommands: [
    {
      command: 'npm test',
      lastOutcome: 'passed',
      lastRunAt: '2026-03-16T11:00:00.000Z',
      sources: ['event:e1'],
    },
  ],
})

export function stateOf(content: Bundle, latestCheckpointId: string | null = null): ProjectState {
  return {
    schemaVersion: 1,
    generatorVersion: '0.1.0',
    provider: 'rules',
    generatedAt: '2026-03-16T12:00:00.000Z',
    bundleHash: bundleHashOf(content),
    bundle: content,
    maintenance: {
      lastRecalledAt: '2026-03-16T12:00:00.000Z',
      lastRecalledEventId: 'e1',
      latestCheckpointId,
      historyEventCount: 1,
      importSourceCount: 0,
      recallCursors: { 'session:s1': { id: 'e1', at: '2026-03-16T11:00:00.000Z' } },
    },
  }
}

export function checkpointOf(
  id: string,
  content: Bundle,
  createdAt = '2026-03-16T12:00:00.000Z',
): BundleCheckpoint {
  return {
    schemaVersion: 1,
    id,
    createdAt,
    bundleHash: bundleHashOf(content),
    reason: 'recall',
    bundle: content,
  }
}

/** What every keeper of the state must do. `make` gives a memory that is empty. */
export function describeStateFiles(name: string, make: () => Promise<StateFilesUnderTest>): void {
  const withFiles =
    (work: (files: StateFiles, again: () => Promise<StateFiles>) => Promise<void>) => async () => {
      const memory = await make()
      const opened = [await memory.open()]
      try {
        await work((opened[0] as { state: StateFiles }).state, async () => {
          const other = await memory.open()
          opened.push(other)
          return other.state
        })
      } finally {
        for (const one of opened) await one.close()
      }
    }

  describe(name, () => {
    it(
      'says that there is none, and has no checkpoint',
      withFiles(async files => {
        expect(await files.read()).toEqual({ kind: 'none' })
        expect(await files.checkpoints()).toEqual([])
        expect(await files.readCheckpoint('2026-03-16T12-00-00-000Z-a')).toBeUndefined()
        expect(await files.readCheckpoint('../../outside')).toBeUndefined()
      }),
    )

    it(
      'gives back every field as it was written, in another process too',
      withFiles(async (files, again) => {
        const content = bundle('Mind the gap.')
        const checkpoint = checkpointOf('2026-03-16T12-00-00-000Z-a', content)
        const state = stateOf(content, checkpoint.id)
        await files.update(async () => ({ state, checkpoint }))
        const other = await again()
        expect(await other.read()).toEqual({ kind: 'read', state, isHandEdited: false })
        expect(await other.readCheckpoint(checkpoint.id)).toEqual({ kind: 'read', checkpoint })
        expect(await other.checkpoints()).toEqual([
          {
            id: '2026-03-16T12-00-00-000Z-a',
            createdAt: '2026-03-16T12:00:00.000Z',
            path: 'history/checkpoints/2026-03-16T12-00-00-000Z-a.json',
          },
        ])
      }),
    )

    it(
      'changes nothing when nothing is decided, and lists checkpoints newest first',
      withFiles(async files => {
        const days = ['15', '17', '16']
        for (const day of days) {
          const checkpoint = checkpointOf(
            `2026-03-${day}T12-00-00-000Z-a`,
            bundle(day),
            `2026-03-${day}T12:00:00.000Z`,
          )
          await files.update(async () => ({ state: stateOf(bundle(day)), checkpoint }))
        }
        const before = await files.read()
        await files.update(async reading => {
          expect(reading).toEqual(before)
          return undefined
        })
        expect(await files.read()).toEqual(before)
        expect((await files.checkpoints()).map(({ id }) => id.slice(0, 10))).toEqual([
          '2026-03-17',
          '2026-03-16',
          '2026-03-15',
        ])
      }),
    )

    it(
      'lets nobody write between the look and the act',
      withFiles(async (files, again) => {
        const other = await again()
        const add = (to: StateFiles, word: string) =>
          to.update(async reading => {
            const known = reading.kind === 'read' ? reading.state.bundle.gotchas.map(({ text }) => text) : []
            return { state: stateOf(bundle(...known, word)) }
          })
        await Promise.all(
          ['a', 'b', 'c', 'd', 'e', 'f'].map((word, n) => add(n % 2 === 0 ? files : other, word)),
        )
        const reading = await files.read()
        expect(
          reading.kind === 'read' && reading.state.bundle.gotchas.map(({ text }) => text).sort(),
        ).toEqual([...['a', 'b', 'c', 'd', 'e', 'f']])
      }),
    )
  })
}
