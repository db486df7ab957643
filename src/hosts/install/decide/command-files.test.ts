import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { HOST_IDS } from '../../../kernel/model/host.ts'
import { loadIntegrations } from '../install-parts.ts'
import { COMMAND_MARKER } from './command-files.ts'
import { SERVER_PROMPTS } from './slash-commands.ts'

const integrations = await loadIntegrations()
const commandFiles = (host: (typeof HOST_IDS)[number], program = 'cairn') =>
  integrations[host].commands(program)

const placesOf = (host: (typeof HOST_IDS)[number]) =>
  commandFiles(host).map(({ folder, path }) => `${folder}/${path}`)

function frontMatter(text: string): Record<string, unknown> {
  const [, yaml = ''] = /^---\n([\s\S]*?)^---$/m.exec(text) ?? []
  return parseYaml(yaml) as Record<string, unknown>
}

const textOf = (host: (typeof HOST_IDS)[number], path: string, program?: string) =>
  commandFiles(host, program).find(file => file.path === path)?.text ?? ''

describe('the files that make our commands the host’s', () => {
  it('are commands where the host has them, and skills where it has none', () => {
    const skills = ['remember', 'forget', 'pin', 'cairn', 'save-memory'].map(
      name => `skills/${name}/SKILL.md`,
    )
    const commands = (ending: string) =>
      ['remember', 'forget', 'pin', 'cairn'].map(name => `commands/${name}.${ending}`)
    expect(placesOf('claude-code')).toEqual([...commands('md'), 'skills/save-memory/SKILL.md'])
    expect(placesOf('codex')).toEqual(skills)
    expect(placesOf('copilot')).toEqual(skills)
    expect(placesOf('opencode')).toEqual([...commands('md'), 'skills/save-memory/SKILL.md'])
    expect(placesOf('gemini')).toEqual([
      'commands/forget.toml',
      'commands/pin.toml',
      'commands/cairn.toml',
      'skills/save-memory/SKILL.md',
    ])
    expect(placesOf('cursor')).toEqual([
      ...commands('md'),
      'commands/save-memory.md',
      'rules/save-memory.mdc',
    ])
  })

  it.each(HOST_IDS)('carry our marker and end with a line break: %s', host => {
    for (const { text } of commandFiles(host)) {
      expect(text).toContain(COMMAND_MARKER)
      expect(text.endsWith('\n')).toBe(true)
    }
  })

  it.each(HOST_IDS)('put nothing that was typed into a shell line: %s', host => {
    for (const { text } of commandFiles(host)) {
      // Claude Code and OpenCode run !`…`, Gemini !{…} and reads @{…}.
      expect(text).not.toMatch(/!`|!\{|@\{/)
      for (const line of text.split('\n'))
        if (/\$ARGUMENTS|\{\{args\}\}/.test(line)) expect(line).toMatch(/^(?:\$ARGUMENTS|\{\{args\}\})$/)
    }
  })

  it('has no name on Gemini that a prompt of the server has: Gemini would give it to neither', () => {
    const names = commandFiles('gemini').map(({ path }) => path.replace(/(?:\/SKILL\.md|\.toml)$/, ''))
    expect(names.filter(name => SERVER_PROMPTS.includes(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })

  it('takes what was typed away from OpenCode, which runs !`…` in it', () => {
    for (const { folder, text } of commandFiles('opencode'))
      if (folder === 'commands') expect(text).toMatch(/^\$9999$/m)
  })

  it('says to Claude Code what it is, what it takes and what it may call', () => {
    expect(frontMatter(textOf('claude-code', 'remember.md'))).toEqual({
      description: 'Keep something in the project memory',
      'argument-hint': '<text>',
      'allowed-tools': 'mcp__cairn__remember, Bash(cairn memory:*)',
    })
  })

  it('is TOML that Gemini reads, whatever the program is called', () => {
    const windows = '"C:\\Program Files\\nodejs\\node.exe" "C:\\cairn\\dist\\cairn.cjs"'
    const { description, prompt } = parseToml(textOf('gemini', 'pin.toml', windows)) as Record<string, string>
    expect(description).toBe('Pin an entry of the project memory, or unpin it')
    expect(prompt).toContain(`${windows} memory -`)
    expect(prompt).toContain('\n{{args}}\n')
  })

  it.each(HOST_IDS)('reaches this installation from save-memory, too: %s', host => {
    const saving = commandFiles(host, '/opt/cairn').filter(({ path }) => path.startsWith('save-memory'))
    expect(saving.length).toBeGreaterThan(0)
    for (const { text } of saving) {
      expect(text).toContain('`/opt/cairn workspace learn decision|lesson')
      expect(text).not.toContain('`cairn workspace')
    }
  })

  it('has front matter that hosts read', () => {
    for (const host of HOST_IDS)
      for (const { folder, path, text } of commandFiles(host)) {
        if (folder !== 'skills') continue
        const { name, description } = frontMatter(text)
        expect(`${name}/SKILL.md`).toBe(path)
        expect(String(description).length).toBeLessThan(400)
      }
    expect(frontMatter(textOf('cursor', 'save-memory.mdc'))).toMatchObject({ alwaysApply: true })
  })
})
