import * as v from 'valibot'
import { expect, it } from 'vitest'
import { parseFields } from './read-request.ts'

const search = {
  name: 'search',
  input: v.object({ query: v.string(), limit: v.optional(v.number('a number')) }),
}

it('says which field is needed, and what is wrong with one that is there', () => {
  expect(() => parseFields(search, {})).toThrow('search: `query` is needed.')
  expect(() => parseFields(search, { query: 'sse', limit: 'many' })).toThrow('search: `limit`: a number')
  expect(parseFields(search, { query: 'sse' })).toEqual({ query: 'sse' })
})
