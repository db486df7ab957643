import { describe, expect, it } from 'vitest'
import { chosenOption } from './chosen-option.ts'
import { splitSentences } from './sentences.ts'

const NUMBERED = 'Ways to label the crates:\n1. stickers\n2. a stamp of 4 cm\n3. paint'
const LETTERED = 'We can:\na) keep the pump\nb) buy a new one\nc) use gravity'
const NAMED = '- **Option A:** keep the pump\n- **Option B:** use gravity'
const INSIDE = 'We could a) keep the pump, b) buy one or c) use gravity.'
const SENTENCES = 'Option 1: the pump stays. Option 2: we use gravity.'

function chosen(asked: string, answer: string) {
  const [sentence] = splitSentences(answer)
  return sentence === undefined ? undefined : chosenOption(sentence, splitSentences(asked))?.text
}

describe('the option that is named', () => {
  it.each([
    [NUMBERED, "let's go with option 3", 'paint'],
    [NUMBERED, 'the second one, please', 'a stamp of 4 cm'],
    [NUMBERED, 'vamos com a 2', 'a stamp of 4 cm'],
    [NUMBERED, 'a última', 'paint'],
    [NUMBERED, '3', 'paint'],
    [LETTERED, 'option b, because it is cheap', 'buy a new one'],
    [LETTERED, 'C', 'use gravity'],
    [LETTERED, 'opção a', 'keep the pump'],
    [NAMED, 'B please', 'use gravity'],
    [INSIDE, 'b, please', 'buy one'],
    [INSIDE, 'option c', 'use gravity'],
    [SENTENCES, 'go with option 2', 'we use gravity.'],
  ])('%s ← %s', (asked, answer, text) => {
    expect(chosen(asked, answer)).toBe(text)
  })

  it.each([
    ['what is option 2?', NUMBERED],
    ['option 7', NUMBERED],
    ['fix 2 first', NUMBERED],
    ['option 2', 'There is no list here.'],
    ['a pump is better', LETTERED],
  ])('none: %s', (answer, asked) => {
    expect(chosen(asked, answer)).toBeUndefined()
  })
})
