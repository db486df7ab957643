import { describe, expect, it } from 'vitest'
import type { Message } from '../../../kernel/model/message.ts'
import { distil } from './distil.ts'
import { wantedParts } from './sentences.ts'

const user = (text: string): Message => ({ role: 'user', text })
const wanted = (text: string) =>
  distil([user('hello'), user(text)])
    .findings.filter(finding => finding.wanted === true)
    .map(finding => finding.text)

describe('a mark at the beginning of a line', () => {
  it('covers everything to the end of the message, as free Markdown', () => {
    const steps =
      'Picking steps:\n1. wash the crates\n2. weigh them\n\n```sh\n# not a heading\nmake weigh\n```\n\n> never in the rain'
    expect(wanted(`#remember ${steps}`)).toEqual([steps])
    expect(wanted(`please read this first\n\n#remember:\n${steps}\n`)).toEqual([steps])
  })

  it('covers any number of sentences', () => {
    const long = Array.from(
      { length: 120 },
      (_, n) => `Row ${n} of the orchard has pears of kind ${n}.`,
    ).join(' ')
    expect(wanted(`#remember ${long}`)).toEqual([long])
  })

  it('ends where the next mark begins a line', () => {
    expect(
      wanted('#remember one\nmore of one\n#remember two\n#skip three\nmore of three\n#remember four'),
    ).toEqual(['one\nmore of one', 'two', 'four'])
  })

  it('stores nothing of a message that also contains #skip', () => {
    expect(distil([user('#remember one\nwe always use pears #skip\n#remember two')]).findings).toEqual([])
    expect(distil([user('#skip this\n#remember two')]).findings).toEqual([])
  })

  it('covers the whole message if it is the last line', () => {
    expect(wanted('The pump:\n```\nmake pump\n```\nin barn 7\n#remember')).toEqual([
      'The pump:\n```\nmake pump\n```\nin barn 7',
    ])
  })

  it('is ignored in a code block and in a quotation', () => {
    expect(wanted('look:\n```\n#remember the pump\n```')).toEqual([])
    expect(wanted('> #remember the pump')).toEqual([])
  })

  it('covers at most 16,000 characters and reports a longer text', () => {
    const { findings, shortened } = distil([user(`#remember ${'pear '.repeat(5_000)}`)])
    expect(findings[0]?.text.length).toBeGreaterThan(15_900)
    expect(findings[0]?.text.length).toBeLessThanOrEqual(16_000)
    expect(shortened).toBe(1)
    expect(distil([user(`#remember ${'pear '.repeat(3_000)}`)]).shortened).toBe(0)
  })

  it('is redacted and has no private part', () => {
    const [text] = wanted(
      '#remember the keys:\n- <private>4711</private>\n- sk_live_51NxQm2KfVbT8sLw0aYpRz7Gd3HcUe9JtXoBi6MnWqEr4Ty',
    )
    expect(text).toMatch(/\[redacted:\w+\]/)
    expect(text).not.toMatch(/4711|51NxQm/)
  })

  it('leaves the rest of the message to the rules', () => {
    const { findings } = distil([
      user('hello'),
      user('From now on every crate has a label.\n#remember ask Rui first'),
    ])
    expect(findings.map(finding => [finding.text, finding.wanted])).toEqual([
      ['ask Rui first', true],
      ['From now on every crate has a label.', undefined],
    ])
  })
})

describe('a mark inside a line', () => {
  it.each([
    ['its sentence', 'look. pears are better in autumn #remember. run it', 'pears are better in autumn.'],
    [
      'what follows in the paragraph',
      'ok. #remember the pump is old. Ask Rui.\n\nrun it',
      'the pump is old. Ask Rui.',
    ],
    ['the paragraph before it', 'run it\n\nThe pump is old. Ask Rui. #remember', 'The pump is old. Ask Rui.'],
    ['its item', '- #remember the pump\n- the valve', 'the pump'],
    ['a line that reads as printed', '10.0.0.1:8080/x=1;y=2 #remember', '10.0.0.1:8080/x=1;y=2'],
    [
      'its sentence in a very long line',
      `${'The milk is sour. '.repeat(900)}The key is under the mat #remember. ${'Bye. '.repeat(900)}`,
      'The key is under the mat.',
    ],
  ])('takes %s', (_, text, part) => {
    expect(wanted(text)).toEqual([part])
  })
})

it('is not merged into a later message', () => {
  const { findings } = distil([
    user('#remember we always print the harvest date on crate labels'),
    user('we changed our mind: we never print the harvest date on crate labels'),
  ])
  expect(findings).toHaveLength(2)
})

it('does not change a text without marks', () => {
  expect(wantedParts('no mark, #remembering')).toEqual({ parts: [], rest: 'no mark, #remembering' })
})
