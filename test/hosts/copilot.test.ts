import { readdirSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { COPILOT } from './drivers/copilot.ts'
import { hostProgram } from './host-programs.ts'
import { START_BRIEF, tellStory } from './host-story.ts'
import { openHostWorld } from './host-world.ts'

tellStory(COPILOT)

it('a session is captured once where Copilot also runs the hooks of Claude Code', async context => {
  const program = hostProgram('copilot')
  if (program.kind === 'absent') return context.skip(program.reason)
  const world = await openHostWorld(COPILOT, program.command)
  try {
    world.write('.copilot/config.json', JSON.stringify({ trustedFolders: [world.root] }))
    expect(await world.cairn('init', '--yes', '--host', 'copilot')).toMatchObject({ code: 0 })
    expect(await world.cairn('init', '--yes', '--host', 'claude-code', '--level', 'project')).toMatchObject({
      code: 0,
    })
    world.model.script(COPILOT.shell('npm test'), { say: 'The buoy is repainted.' })
    expect(await world.run('What colour has the buoy?')).toMatchObject({ code: 0 })
    expect(await world.leftRunning()).toEqual([])

    const [request] = world.model.requests
    expect(request?.text.split(START_BRIEF)).toHaveLength(2)
    expect(readdirSync(path.join(world.root, '.memory/conversations'), { recursive: true })).toHaveLength(2)
    const { sessions } = JSON.parse((await world.cairn('sessions', '--json')).stdout) as {
      sessions: { host: string; messages: number }[]
    }
    expect(sessions).toMatchObject([{ host: 'copilot', messages: 3 }])
  } finally {
    await world.close()
  }
})
