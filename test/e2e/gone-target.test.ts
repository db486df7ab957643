import { expect, it } from 'vitest'
import { inWorld } from './world.ts'

it(
  'an id that is gone means no entry, not even the one that links to it',
  inWorld(async world => {
    const { entry: gone } = await world.json<{ entry: { id: string } }>(
      'remember',
      'We use Redis for sessions.',
    )
    const kept = `We use Postgres instead, see [[${gone.id}]].`
    await world.ok('remember', kept)
    await world.ok('forget', gone.id)
    for (const verb of ['forget', 'pin', 'show', 'confirm'])
      expect(await world.failure(verb, gone.id)).toMatchObject({ code: 'entry_not_found' })
    const { entries } = await world.json<{ entries: { status: string; content: string }[] }>('list')
    expect(entries.map(({ status, content }) => [status, content])).toEqual([['confirmed', kept]])
  }),
)
