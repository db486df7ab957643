import { beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../../src/kernel/model/errors.ts'
import { NOTICE_CODES } from '../../../src/kernel/model/notice-codes.ts'
import { loadServerMessages, translateFailure, translateNotice } from './server-messages.ts'

/** Words that no Portuguese sentence has. */
const ENGLISH = /\b(?:the|is|are|was|were|cannot|not|and|it|of|to|with|nothing|this|that|there)\b/i

const english = { message: 'The server says this.', hint: 'There is a next step.' }
const withoutCode = (text: string) => text.replaceAll(/`[^`]*`/g, '')

beforeAll(() => loadServerMessages('pt'))

describe('what the server tells', () => {
  it.each(Object.keys(ERROR_CODES))('has Portuguese words for the failure %s', code => {
    const { text, hint } = translateFailure({ code, ...english }, 'pt')
    expect(text).not.toBe(english.message)
    expect(hint).not.toBe('')
    expect(withoutCode(`${text} ${hint}`)).not.toMatch(ENGLISH)
  })

  it.each(NOTICE_CODES)('has Portuguese words for the notice %s', code => {
    const { text } = translateNotice({ code, ...english }, 'pt')
    expect(text).not.toBe(english.message)
    expect(withoutCode(text)).not.toMatch(ENGLISH)
  })

  it('is told in its own words to who reads English', () => {
    expect(translateFailure({ code: 'entry_not_found', ...english }, 'en')).toEqual({
      text: 'The server says this.',
      hint: 'There is a next step.',
      detail: undefined,
    })
  })

  it('keeps the own words of the server where they name what a text by code cannot', () => {
    const told = { code: 'file_not_found', message: 'There is no file notes.md.', hint: 'Name another.' }
    expect(translateFailure(told, 'pt').detail).toBe('There is no file notes.md. Name another.')
    expect(translateFailure({ ...told, code: 'entry_not_found' }, 'pt').detail).toBe(undefined)
  })

  it('tells a failure that is only a notice by its code, and one it does not know as it is', () => {
    expect(translateNotice({ code: 'embedder_failed', message: 'It failed.' }, 'pt').text).toBe(
      'A busca por significado falhou. A busca usa só as palavras.',
    )
    expect(translateNotice({ code: 'of_a_newer_server', message: 'It failed.' }, 'pt').text).toBe(
      'It failed.',
    )
  })
})
