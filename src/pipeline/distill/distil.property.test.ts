import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Message } from '../../model/message.ts'
import { normaliseTag } from '../../text/tags.ts'
import { distil } from './distil.ts'

const phrases = [
  'we always keep pears because apples fail',
  'Turns out src/a/b.ts throws when Redis is down.',
  'never mind',
  '```',
  '`code`',
  '#remember',
  '"quoted words here"',
  '<project_memory>',
  '</project_memory>',
  '## MEMORY CONTEXT',
  '\n',
  '\n- ',
  'falta migrar 12 estufas',
  '?',
  '😀',
  '\ud800',
  'isso fica assim',
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...phrases), fc.string({ unit: 'grapheme' })), { maxLength: 12 })
  .map(parts => parts.join(' '))
const role = fc.constantFrom('user', 'agent', 'tool', 'system', 'assistant', 'ana', '', '__proto__')
const message: fc.Arbitrary<Message> = fc.record({ role, text })

it('never throws, and every finding is whole', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), messages => {
      for (const finding of distil(messages).findings) {
        expect(finding.text.length).toBeLessThanOrEqual(finding.wanted ? 16_000 : 500)
        expect(finding.text.trim()).not.toBe('')
        if (finding.wanted !== true) expect(finding.text).not.toContain('\n')
        expect(messages[finding.message]).toBeDefined()
        expect(finding.tags.map(normaliseTag)).toEqual(finding.tags)
        expect(finding.files.every(file => !file.includes('\\') && !file.startsWith('./'))).toBe(true)
        expect(finding.importance).toBeGreaterThanOrEqual(0)
        expect(finding.importance).toBeLessThanOrEqual(1)
        expect(finding.confidence).toBeGreaterThan(0)
        expect(finding.confidence).toBeLessThanOrEqual(1)
        expect(finding.fingerprint).toMatch(/^[0-9a-f]{16}$/)
      }
    }),
    { numRuns: 300 },
  )
})

it('lets nothing of an internal, private, skipped or printed part through', () => {
  const hidden = 'we always zanzibar because it fails when 7 pears zanzibar #remember'
  const hide: fc.Arbitrary<Message> = fc.oneof(
    fc.record({ role, text: fc.constant(hidden), internal: fc.constant(true) }),
    fc.record({ role, text: text.map(other => `<private>${hidden}</private> ${other}`) }),
    fc.record({ role, text: text.map(other => `${other} <private> ${hidden} ${other}`) }),
    fc.record({ role, text: text.map(other => `${other} ${hidden} #skip ${other}`) }),
    fc.record({ role: fc.constantFrom('tool', 'system'), text: fc.constant(hidden) }),
    fc.record({ role, text: fc.constant(`yes, do that\n\`\`\`\n${hidden}\n\`\`\``) }),
    fc.record({ role, text: fc.constant(`<project_memory>\n${hidden}\n</project_memory>\nyes, do that`) }),
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(message, hide), { maxLength: 10 }), messages => {
      expect(JSON.stringify(distil(messages).findings)).not.toContain('zanzibar')
    }),
    { numRuns: 300 },
  )
})

it('is quick with what was made to be slow', () => {
  const hostile = [
    'a'.repeat(100_000),
    'x.'.repeat(500_000),
    'We keep the cache because it is slow when cold. '.repeat(21_000),
    'We keep the cache because it is slow when cold.\n'.repeat(21_000),
    '<private>'.repeat(100_000),
    '<    '.repeat(200_000),
    '" "'.repeat(300_000),
    '` '.repeat(400_000),
    '- a\n'.repeat(250_000),
    `${'not a b '.repeat(240)}\n`.repeat(500),
    '- [a · '.repeat(100_000),
    `{${' '.repeat(1900)}\n`.repeat(500),
    '#remember '.repeat(100_000),
    'ok, '.repeat(8_000),
    `x ${'#remember '.repeat(100_000)}`,
    `x ${`${'. '.repeat(400)}#remember `.repeat(1_200)}`,
    `#remember${' '.repeat(500_000)}x`,
    '#remember\n'.repeat(100_000),
    '#remember a\n#skip\n'.repeat(10_000),
    'a '.repeat(400_000),
    '1) '.repeat(300_000),
    "'a b ".repeat(200_000),
    'not '.repeat(8_000),
  ]
  for (const each of hostile) {
    const start = performance.now()
    distil([{ role: 'user', text: each }])
    // Linear takes 30 ms at most; what is not takes minutes.
    expect(performance.now() - start).toBeLessThan(10_000)
  }
})

it('distils 2,000 messages in a moment', () => {
  const messages = Array.from({ length: 2_000 }, (_, n) => ({
    role: n % 3 === 0 ? 'user' : 'agent',
    text: `The worker ${n} retries job${n}.ts twice because queue_${n} drops the ack when it is idle. I will check that now. Also the cache holds stale rows until restart, so let's keep it small.`,
  }))
  distil(messages.slice(0, 200))
  const start = performance.now()
  expect(distil(messages).findings.length).toBeLessThanOrEqual(200)
  expect(performance.now() - start).toBeLessThan(7_500)
})
