import * as v from 'valibot'
import { expect, it } from 'vitest'
import { parseFields, refuseUnknown } from './read-request.ts'

const search = {
  name: 'search',
  input: v.object({ query: v.string(), limit: v.optional(v.number('a number')) }),
}

it('says which field is needed, and what is wrong with one that is there', () => {
  expect(() => parseFields(search, {})).toThrow('search: `query` is needed.')
  expect(() => parseFields(search, { query: 'sse', limit: 'many' })).toThrow('search: `limit`: a number')
  expect(parseFields(search, { query: 'sse' })).toEqual({ query: 'sse' })
})

it('says which field it has not, and which was meant', () => {
  expect(() => refuseUnknown(search, ['query', 'limt'], 'parameter')).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: 'search has no parameter `limt`.',
      hint: 'Did you mean `limit`? GET /api/openapi.json lists the fields of every route.',
    }),
  )
  expect(() => refuseUnknown(search, ['toString'], 'field')).toThrow('search has no field `toString`.')
  expect(() => refuseUnknown(search, ['query', 'limit'], 'field')).not.toThrow()
})
