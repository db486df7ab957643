import { writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { httpWorld } from './http-world.ts'

describe('A server that has much to compare', () => {
  it('answers others while one looks at the conflicts', async () => {
    const world = await httpWorld({
      before: ({ root, run }) => {
        const file = path.join(root, 'notes.jsonl')
        const lines = Array.from({ length: 600 }, (_, at) =>
          JSON.stringify({ text: `The log retention of service ${at} is ${at % 90} days.` }),
        )
        writeFileSync(file, lines.join('\n'))
        run('config', 'set', 'embedder.use', 'off')
        run('import', file)
      },
    })
    try {
      const answered: string[] = []
      const noting = async (name: 'conflicts' | 'server') => {
        const { status, body } = await world.ask(name)
        expect(status).toBe(200)
        answered.push(name)
        return body
      }
      const conflicts = noting('conflicts')
      await noting('server')
      await noting('server')
      await noting('server')
      expect(answered).toEqual(['server', 'server', 'server'])
      expect(await conflicts).toMatchObject({ waiting: expect.any(Number) })
    } finally {
      await world.end()
    }
  }, 180_000)
})
