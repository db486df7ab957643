import { describe, expect, it } from 'vitest'
import { chosenIn, clippedRequest, requestWords } from './request-words.ts'

const DOCUMENT = 'The kitchen helps families to plan their meals for the week. '.repeat(20)

describe('the words of a request', () => {
  it('end where pasted text begins', () => {
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

  it('come after the pasted text if the message begins with it', () => {
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

  it('include a list with its introduction', () => {
    expect(
      requestWords(
        'When I try step 2 there are two problems:\n- the message is shown three times\n- no answer comes\n\nCan you fix both?',
      ),
    ).toBe(
      'When I try step 2 there are two problems: the message is shown three times; no answer comes; Can you fix both?',
    )
  })
})

describe('a clipped request', () => {
  it('ends after a sentence that nearly fills the limit, otherwise after a word', () => {
    const request = 'Add retries to the upload of attachments. Only five of them, with a growing delay.'
    expect(clippedRequest(request, 100)).toBe(request)
    expect(clippedRequest(request, 50)).toBe('Add retries to the upload of attachments.')
    expect(clippedRequest(request, 70)).toBe(
      'Add retries to the upload of attachments. Only five of them, with a…',
    )
  })

  it('drops leading praise and keeps only the name of a long path', () => {
    const more = 'Guests stay for days, and the bar adds to the order every evening until they leave.'
    expect(clippedRequest(`Great, looks good. Now let me edit an order. ${more}`, 60)).toBe(
      'Now let me edit an order. Guests stay for days, and the…',
    )
    expect(clippedRequest(`/home/ana/shop/prompts/implement.md do T009 to T013. ${more}`, 40)).toBe(
      'implement.md do T009 to T013.',
    )
  })

  it('keeps an order that begins with praise', () => {
    expect(clippedRequest('Great, then implement all you can. I will do the proxy part myself', 50)).toBe(
      'Great, then implement all you can. I will do the…',
    )
  })
})

it('finds the chosen option of an offer', () => {
  const offer =
    'Two ways:\n\n- **Option A**: keep the table\n- **Option B** – move it to its own file\n\nWhich one?'
  expect(chosenIn(offer, 'Option B')).toBe('move it to its own file')
  expect(chosenIn(offer, 'b')).toBe('move it to its own file')
  expect(chosenIn('1. Reset the branch\n2. Leave it as it is', '1 we go on')).toBe('Reset the branch')
  expect(chosenIn(offer, 'yes, go ahead')).toBeUndefined()
})
