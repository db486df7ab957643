import { beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../../src/kernel/model/errors.ts'
import { NOTICE_CODES } from '../../../src/kernel/model/notice-codes.ts'
import { loadServerMessages, translateFailure, translateNotice } from './server-messages.ts'

/** Words that do not occur in Portuguese. */
const ENGLISH = /\b(?:the|is|are|was|were|cannot|not|and|it|of|to|with|nothing|this|that|there)\b/i

const english = { message: 'The server says this.', hint: 'There is a next step.' }
const withoutCode = (text: string) => text.replaceAll(/`[^`]*`/g, '')

beforeAll(() => loadServerMessages('pt'))

describe('messages of the server', () => {
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

  it('keeps the message of the server in English', () => {
    expect(translateFailure({ code: 'entry_not_found', ...english }, 'en')).toEqual({
      text: 'The server says this.',
      hint: 'There is a next step.',
      detail: undefined,
    })
  })

  it('keeps the message of the server as a detail where it names a path or a field', () => {
    const told = { code: 'file_not_found', message: 'There is no file notes.md.', hint: 'Name another.' }
    expect(translateFailure(told, 'pt').detail).toBe('There is no file notes.md. Name another.')
    expect(translateFailure({ ...told, code: 'entry_not_found' }, 'pt').detail).toBe(undefined)
  })

  it('translates a failure code of a notice, and keeps the message of an unknown code', () => {
    expect(translateNotice({ code: 'embedder_failed', message: 'It failed.' }, 'pt').text).toBe(
      'A busca por significado falhou. A busca usa só as palavras.',
    )
    expect(translateNotice({ code: 'of_a_newer_server', message: 'It failed.' }, 'pt').text).toBe(
      'It failed.',
    )
  })
})
