import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTaken, parseAgentId, suggestAgentId } from './agent-id.ts'
import { CairnError } from './errors.ts'

function refusal(text: string): CairnError {
  try {
    parseAgentId(text)
  } catch (error) {
    if (error instanceof CairnError) return error
    throw error
  }
  throw new Error(`${text} was accepted`)
}

describe('parseAgentId', () => {
  it.each([
    'dev',
    'bmad-master',
    'a',
    '7',
    'v1.2_x',
    'shared',
    'private',
    'console',
    'nullable',
    'a'.repeat(64),
  ])('takes %s', id => {
    expect(parseAgentId(id)).toBe(id)
  })

  it('folds capitals', () => {
    expect(parseAgentId('BMad-Master')).toBe('bmad-master')
  })

  it.each([
    ['', 'an agent id has at least one character. Try "agent".'],
    ['../x', 'an agent id is made of a-z, 0-9, ".", "_" and "-". Try "x".'],
    ['a/b', 'an agent id is made of a-z, 0-9, ".", "_" and "-". Try "a-b".'],
    ['a\\b', 'an agent id is made of a-z, 0-9, ".", "_" and "-". Try "a-b".'],
    ['Revisão Código', 'an agent id is made of a-z, 0-9, ".", "_" and "-". Try "revisao-codigo".'],
    ['\u212Aelvin', 'an agent id is made of a-z, 0-9, ".", "_" and "-". Try "kelvin".'],
    ['开发', 'an agent id is made of a-z, 0-9, ".", "_" and "-". Try "agent".'],
    ['dev\n', 'an agent id is made of a-z, 0-9, ".", "_" and "-". Try "dev".'],
    ['x'.repeat(300), `an agent id has at most 64 characters. Try "${'x'.repeat(64)}".`],
    ['.vault', 'an agent id starts with a letter or a digit. Try "vault".'],
    ['_project', 'an agent id starts with a letter or a digit. Try "project".'],
    ['dev.', 'an agent id does not end with a dot. Try "dev".'],
    ['CON', 'Windows reserves this name. Try "agent-con".'],
    ['nul.txt', 'Windows reserves this name. Try "agent-nul.txt".'],
    ['lpt1', 'Windows reserves this name. Try "agent-lpt1".'],
    ['History', 'Cairn uses this name itself. Try "agent-history".'],
    ['config.json', 'Cairn uses this name itself. Try "agent-config.json".'],
  ])('refuses %j and says which rule it breaks', (text, hint) => {
    const error = refusal(text)
    expect(error.code).toBe('agent_id_invalid')
    expect(error.hint).toBe(hint)
  })

  it('shows a long or multi-line text on one short line', () => {
    expect(refusal(`a\nb${'x'.repeat(500)}`).message.length).toBeLessThan(180)
    expect(refusal('a\nb').message).toBe(
      '"a b" cannot be an agent id: an agent id is made of a-z, 0-9, ".", "_" and "-"',
    )
  })
})

describe('suggestAgentId', () => {
  it('is always an id that is accepted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        const suggestion = suggestAgentId(text)
        expect(parseAgentId(suggestion)).toBe(suggestion)
      }),
    )
  })
})

describe('isTaken', () => {
  it('knows the names of Cairn in any case', () => {
    expect(['History', 'archive', 'dev', 'shared'].map(isTaken)).toEqual([true, true, false, false])
  })
})
