import { expect, it } from 'vitest'
import { askedSections } from './answer.ts'

it.each([
  ['What is left to do?', ['nextSteps']],
  ["what's next", ['nextSteps']],
  ['Quais são os próximos passos?', ['nextSteps']],
  ['Anything to watch out for in auth?', ['gotchas']],
  ['Onde paramos?', ['currentFocus']],
  ['How do I run the tests?', ['validationCommands']],
  ['which packages are there?', ['projectMap']],
  ['What is this project about?', ['project']],
  ['What are the gotchas, and what is next?', ['nextSteps', 'gotchas']],
  ['why does the session expire?', []],
  ['who left the team?', []],
  ['turn left at the next corner', []],
])('%j asks for %j', (question, sections) => {
  expect(askedSections(question)).toEqual(sections)
})
