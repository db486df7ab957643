import { describe, expect, it } from 'vitest'
import { fileSaying, headFile, vaultFiles } from '../support/vault-files.ts'
import { inWorld, type World } from './world.ts'

interface StaleAnswer {
  readonly total: number
  readonly stale: {
    readonly proposals: readonly {
      readonly id: string
      readonly kind: string
      readonly what: string
      readonly reasons: readonly { readonly code: string }[]
      readonly does: { readonly moves?: readonly { readonly to: string; readonly count: number }[] }
    }[]
    readonly totals: Readonly<Record<string, number>>
    readonly dismissed: number
    readonly entries: number
  }
}

const FILE = '.memory/dev/decisions.md'
const FRUITS = ['apples', 'pears', 'plums', 'figs', 'grapes', 'dates', 'limes', 'kiwis']

/** A file with more entries than a file should have: somebody wrote them in an editor. */
async function furnish(world: World): Promise<void> {
  await world.ok('config', 'set', 'vault.maxEntriesPerFile', '0')
  await world.ok('config', 'set', 'vault.keepEntries', '2')
  await world.ok('config', 'set', 'review.maxEntriesPerFile', '4')
  const entries = FRUITS.map((fruit, n) => ({
    content: `About ${fruit}.`,
    date: `2026-0${1 + (n % 2)}-0${1 + n}T10:00`,
  }))
  world.write(FILE, headFile(entries))
}

/** In an editor, one more. */
function typeOneMore(world: World): void {
  const quinces = headFile([{ content: 'About quinces.', date: '2026-03-01T10:00' }])
  world.write(FILE, `${quinces}\n${world.read(FILE)}`)
}

const stale = (world: World, ...flags: string[]) => world.json<StaleAnswer>('review', '--stale', ...flags)

describe.concurrent('cairn review --stale', () => {
  it(
    'names a file with too many entries and where they would go; apply does it, undo takes it back',
    inWorld(async world => {
      await furnish(world)
      const { stale: found, total } = await stale(world)
      expect([total, found.entries]).toEqual([1, 8])
      expect(found.proposals).toMatchObject([
        {
          kind: 'split',
          what: 'dev/decisions.md',
          reasons: [{ code: 'too_many_entries', entries: 8, most: 4 }],
        },
      ])
      const [split] = found.proposals
      const before = vaultFiles(world.root)
      expect(await world.ok('review', 'apply', split?.id ?? '', '--dry-run')).toContain(
        'Would split dev/decisions.md',
      )
      expect(vaultFiles(world.root)).toEqual(before)
      await world.ok('review', 'apply', split?.id ?? '')
      expect(fileSaying(world.root, 'About apples.')).toBe(
        '.memory/dev/decisions/2026-01-01-about-apples-h000.md',
      )
      expect(Object.keys(vaultFiles(world.root))).toHaveLength(7)
      expect((await stale(world)).total).toBe(0)
      expect((await world.json('list')).total).toBe(8)
      expect((await world.json('search', 'apples')).hits[0]?.entry.content).toBe('About apples.')
      expect(await world.failure('review', 'apply', split?.id ?? '')).toMatchObject({
        exit: 3,
        code: 'finding_not_found',
      })
      expect(await world.ok('log', '--limit', '1')).toMatch(/split {3}cli {2}6 entries/)
      await world.ok('undo')
      expect(vaultFiles(world.root)).toEqual(before)
      expect((await world.json('doctor')).healthy).toBe(true)
    }),
  )

  it(
    'shows what, why and what it would do to a person',
    inWorld(async world => {
      await furnish(world)
      const screen = await world.ok('review', '--stale')
      expect(screen.replace(/r[0-9a-f]{8}-[0-9a-f]{4}/g, 'ID')).toBe(
        [
          'ID  split    dev/decisions.md  8 entries, more than 4',
          '      → 6 get separate files in dev/decisions/; 2 stay',
          '1 to split.',
          'cairn review apply|dismiss <id>; --dry-run shows the effect first.',
          '',
        ].join('\n'),
      )
    }),
  )

  it(
    'a proposal is refused when somebody edits the file meanwhile',
    inWorld(async world => {
      await furnish(world)
      const [split] = (await stale(world)).stale.proposals
      typeOneMore(world)
      const failure = await world.failure('review', 'apply', split?.id ?? '')
      expect(failure).toMatchObject({ exit: 4, code: 'file_changed' })
      expect(failure.hint).toContain((await stale(world)).stale.proposals[0]?.id)
    }),
  )

  it(
    'what was dismissed is not proposed again, until undo',
    inWorld(async world => {
      await furnish(world)
      const [split] = (await stale(world)).stale.proposals
      await world.ok('review', 'dismiss', split?.id ?? '')
      expect(await stale(world)).toMatchObject({ total: 0, stale: { dismissed: 1 } })
      typeOneMore(world)
      expect((await stale(world)).total).toBe(0)
      await world.ok('undo')
      expect((await stale(world)).total).toBe(1)
    }),
  )

  it(
    'says what it needs',
    inWorld(async world => {
      expect(await world.failure('review', 'apply')).toMatchObject({ exit: 2, code: 'invalid_input' })
      expect(await world.failure('review', 'apply', '--all')).toMatchObject({ code: 'invalid_input' })
      expect((await world.failure('review', 'apply', '--all', '--kind', 'confirm')).message).toBe(
        'Proposals to confirm are applied one by one; --all works for archive and split.',
      )
      expect((await world.failure('review', '--kind', 'split')).hint).toBe(
        'cairn review --stale --kind split',
      )
      expect(await world.ok('review', '--stale')).toBe('No stale entries among 0 entries.\n')
    }),
  )
})
