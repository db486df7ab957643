import { expect, it } from 'vitest'
import { CODEX } from './drivers/codex.ts'
import { hostProgram } from './host-programs.ts'
import { tellStory } from './host-story.ts'
import { openHostWorld } from './host-world.ts'

tellStory(CODEX)

it('Codex with its own choice of a model, which runs tools from code, is told the brief and finds our tools', async context => {
  const program = hostProgram('codex')
  if (program.kind === 'absent') return context.skip(program.reason)
  const world = await openHostWorld(CODEX, program.command)
  try {
    world.write('.codex/config.toml', '')
    expect(await world.cairn('init', '--yes', '--host', 'codex')).toMatchObject({ code: 0 })
    expect(await world.cairn('remember', 'The lighthouse keeper is called Marit.')).toMatchObject({ code: 0 })
    world.model.script(
      {
        call: 'functions__exec',
        with: { input: 'text(await tools.mcp__cairn__search({ query: "keeper" }))' },
      },
      { say: 'Marit.' },
    )
    expect(await world.run('Who is the lighthouse keeper?')).toMatchObject({ code: 0, stdout: 'Marit.\n' })
    const [asked, searched] = world.model.requests
    expect(asked?.body.model).not.toBe('gpt-5-codex')
    expect(asked?.text.includes('The lighthouse keeper is called Marit.')).toBe(true)
    const answer = ((searched?.body.input ?? []) as { type: string }[]).find(
      ({ type }) => type === 'custom_tool_call_output',
    )
    expect(JSON.stringify(answer)).toContain('The lighthouse keeper is called Marit.')
    expect(await world.leftRunning()).toEqual([])
  } finally {
    await world.close()
  }
})
