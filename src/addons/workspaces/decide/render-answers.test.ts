import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { renderLearnings, renderOverviews, renderPlans } from './render-answers.ts'

const REST = { total: 1, leftOut: 0, problems: [] }
const META = { document_path: 'a/b.md', document_id: 'b' }

/** What a person could have written, and what nobody would. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    'true',
    '12',
    '- a',
    '# x',
    'a: b',
    'one\n\n  two\n',
    '\n lead',
    '\ttab',
    'end\n\n',
    '---',
    '\u2028',
    '\u001b[31m',
    'x\r\ny',
    '\ud800',
  ),
)
const tags = fc.array(text, { maxLength: 3 })

test('every answer is YAML that reads back as it was', () => {
  fc.assert(
    fc.property(text, text, tags, (name, description, own) => {
      const plan = { name, description, status: 'new' as const, tags: own, scope: 'k', _meta: META }
      const { scope: _, tags: __, ...told } = plan
      expect(parse(renderPlans({ ...REST, plans: [plan] }))).toEqual({
        plans: [{ ...told, ...(own.length > 0 && { tags: own }) }],
      })
      const overview = { scope: 'k', tier: 'T1' as const, content: name, _meta: META }
      expect(parse(renderOverviews({ ...REST, overviews: [overview] }))).toEqual({
        overviews: [{ scope: 'k', tier: 'T1', content: name, _meta: META }],
      })
      const learning = { content: name, category: description, tags: own, scope: 'k/d', _meta: META }
      expect(parse(renderLearnings({ ...REST, scope: 'k', decisions: [], lessons: [learning] }))).toEqual({
        decisions: [],
        lessons: [
          {
            content: name,
            category: description,
            ...(own.length > 0 && { tags: own }),
            scope: 'k/d',
            _meta: META,
          },
        ],
      })
    }),
    { numRuns: 500 },
  )
})

test('no answer steers a terminal', () => {
  fc.assert(
    fc.property(text, content => {
      const overview = { scope: 'k', tier: 'T1' as const, content, _meta: META }
      expect(renderOverviews({ ...REST, overviews: [overview] })).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      )
    }),
  )
})

test('what was cut and what is wrong stand below the answer', () => {
  expect(
    renderPlans({
      plans: [],
      total: 7,
      leftOut: 1,
      problems: [
        { code: 'date_missing', path: 'a.md', line: 1, message: 'a.md has no date', hint: 'Expected: one.' },
      ],
    }),
  ).toBe(`plans: []

total: 7
shown: 0

left_out: 1

problems:
  - file: "a.md"
    line: 1
    problem: date_missing
    message: "a.md has no date"
    hint: "Expected: one."
`)
})
