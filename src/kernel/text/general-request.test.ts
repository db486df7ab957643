import { describe, expect, it } from 'vitest'
import { isGeneralRequest } from './general-request.ts'

describe('isGeneralRequest', () => {
  it.each([
    'Explain the event loop to me',
    'can you write a limerick about databases',
    'Please translate this sentence into French: good morning',
    "what's a good name for a cat",
    'how does a bloom filter work?',
    'is there a way to make my terminal transparent',
    'me explica o que é um mutex',
    'cria um poema sobre gatos',
    'qual a diferença entre let e var?',
  ])('%s', prompt => expect(isGeneralRequest(prompt)).toBe(true))

  it.each([
    'why does the checkout hang after the last deploy?',
    'where do we keep the session cookie settings',
    'the build fails with ENOENT in packages/db',
    'should the worker write to the queue or to the table?',
    'rename the column and tell me which migration to edit',
    'por que o pagamento fica pendente?',
    'onde fica a configuração do cache',
    '',
  ])('not: %s', prompt => expect(isGeneralRequest(prompt)).toBe(false))

  it('reads the opening only, in linear time', () => {
    expect(isGeneralRequest(`${'please '.repeat(200_000)}`)).toBe(false)
  })
})
