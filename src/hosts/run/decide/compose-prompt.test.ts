import { describe, expect, it } from 'vitest'
import { composePrompt, PERSONA_CHARACTERS, personaText } from './compose-prompt.ts'

describe('the prompt of a new chat', () => {
  it('is the role, what is known, what fits, and the command', () => {
    const parts = { persona: 'You build.', startBrief: '## MEMORY', promptBrief: '', command: '- do it' }
    expect(composePrompt(parts)).toBe('You build.\n\n## MEMORY\n\n- do it\n')
    expect(composePrompt({ ...parts, persona: undefined, startBrief: '' })).toBe('- do it\n')
  })
})

describe('a role', () => {
  it('is the file without its front matter and comments', () => {
    expect(personaText('\uFEFF---\nname: dev\ntools: Bash\n---\n\nYou build.\r\n<!-- hidden -->\n')).toBe(
      'You build.',
    )
    expect(personaText('---\nname: dev\n---')).toBe('')
    expect(personaText('You build. --- And test.\n')).toBe('You build. --- And test.')
    expect(personaText('---\nno end of it')).toBe('---\nno end of it')
  })

  it('fills no context', () => {
    const text = personaText(`${'A line of the role.\n'.repeat(5_000)}`)
    expect(text.length).toBeLessThan(PERSONA_CHARACTERS + 10)
    expect(text.endsWith('A line of the role.\n[…]')).toBe(true)
  })
})
