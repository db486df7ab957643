import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../text/token-estimate.ts'
import { chosenIn, requestWords, shortRequest } from './request-words.ts'

const DOCUMENT = 'The kitchen helps families to plan their meals for the week. '.repeat(20)

describe('what a person says in a message', () => {
  it('ends where something was pasted', () => {
    expect(
      requestWords(
        'The upload fails for large files, can you look?\n\n```\nError: 413\n    at send (src/upload.ts:3)\n```',
      ),
    ).toBe('The upload fails for large files, can you look?')
    expect(
      requestWords(`Create a file called vision.md with the content below:\n\nOur vision\n${DOCUMENT}`),
    ).toBe('Create a file called vision.md with the content below:')
    expect(requestWords(`Split this into files, one per section.\n\n## Vision\n${DOCUMENT}`)).toBe(
      'Split this into files, one per section.',
    )
  })

  it('stands after what was pasted, when the message begins with that', () => {
    expect(
      requestWords(
        [
          'DOM Path: div#root > div.flex h-screen > div.min-w-0 > div.border-b px-6 > button.p-1',
          'Position: top=791px, left=173px, width=50px, height=28px',
          'HTML Element: <button class="flex p-1" title="Language">English</button> open the menu to the upper right',
        ].join('\n'),
      ),
    ).toBe('open the menu to the upper right')
    expect(
      requestWords('Error saving settings: mime type image/png\n    at save (index.js:3:14)\n头像无法保存'),
    ).toBe('Error saving settings: mime type image/png; 头像无法保存')
  })

  it('keeps a list with what leads to it', () => {
    expect(
      requestWords(
        'When I try step 2 there are two problems:\n- the message is shown three times\n- no answer comes\n\nCan you fix both?',
      ),
    ).toBe(
      'When I try step 2 there are two problems: the message is shown three times; no answer comes; Can you fix both?',
    )
  })
})

describe('a short request', () => {
  const context = 'We worked on the export of invoices last week and it went fine.'
  const more = 'The files are large, and there are many of them every single day of the month.'

  it('is how the request begins, and its question', () => {
    const short = shortRequest(
      `${context} ${more} ${more} Can you make it resume after a timeout? ${more}`,
      36,
    )
    expect(short).toBe(`${context} Can you make it resume after a timeout?`)
    expect(estimateTokens(short)).toBeLessThanOrEqual(36)
  })

  it('without a question is how it begins and how it ends', () => {
    expect(shortRequest(`${context} ${more} ${more} Retry it later, e.g. the next day.`, 36)).toBe(
      `${context} Retry it later, e.g. the next day.`,
    )
  })
})

it('knows which of the offered options was chosen', () => {
  const offer =
    'Two ways:\n\n- **Option A**: keep the table\n- **Option B** – move it to its own file\n\nWhich one?'
  expect(chosenIn(offer, 'Option B')).toBe('move it to its own file')
  expect(chosenIn(offer, 'b')).toBe('move it to its own file')
  expect(chosenIn('1. Reset the branch\n2. Leave it as it is', '1 we go on')).toBe('Reset the branch')
  expect(chosenIn(offer, 'yes, go ahead')).toBeUndefined()
})
