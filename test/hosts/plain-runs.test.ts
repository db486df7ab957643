import { describe, expect, it } from 'vitest'
import { DRIVERS } from './drivers.ts'
import { hostProgram } from './host-programs.ts'
import { openHostWorld } from './host-world.ts'

/** Without anything of ours: when this fails, the host or the fake model is the cause, and not Cairn. */
describe.each(DRIVERS)('$id as it is published', driver => {
  it('asks the loopback model, runs the tool it calls, answers and ends', async context => {
    const program = hostProgram(driver.id)
    if (program.kind === 'absent') return context.skip(program.reason)
    const world = await openHostWorld(driver, program.command)
    try {
      world.model.script(driver.shell('echo said-by-the-shell'), { say: 'All is well.' })
      const run = await world.run('Say hello.')
      expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('All is well.') })
      const conversation = world.model.conversation()
      expect(conversation.map(({ text }) => text.includes('Say hello.'))).toEqual([true, true])
      expect(world.model.sent('said-by-the-shell')).toEqual(['said-by-the-shell'])
      expect(await world.leftRunning()).toEqual([])
    } finally {
      await world.close()
    }
  })
})
