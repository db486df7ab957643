import { describe, expect, it } from 'vitest'
import type { Composed } from '../compose/composed.ts'
import { requirePlace } from './runs-in.ts'

const at = (place: object) => ({ place }) as Composed
const hub = at({ kind: 'hub', project: { number: 1, name: 'shop' } })
const checkout = at({ kind: 'folder', paths: {} })

describe('where a verb runs', () => {
  it('refuses a verb of a checkout on a hub', () => {
    expect(() => requirePlace({ name: 'skill save', runs: 'checkout' }, hub)).toThrow(
      expect.objectContaining({
        code: 'not_on_hub',
        message: '`skill save`: not on a hub, which has no files of the project.',
      }),
    )
  })

  it('refuses a verb of a hub in a checkout', () => {
    expect(() => requirePlace({ name: 'sync-hello', runs: 'hub' }, checkout)).toThrow(
      expect.objectContaining({ code: 'hub_refused' }),
    )
  })

  it('lets every other verb run', () => {
    requirePlace({ name: 'skill save', runs: 'checkout' }, checkout)
    requirePlace({ name: 'sync-hello', runs: 'hub' }, hub)
    requirePlace({ name: 'search' }, hub)
    requirePlace({ name: 'search' }, checkout)
  })
})
