import { expect, it } from 'vitest'
import { isTaskQuestion } from './task-question.ts'

it.each([
  'What is left to do?',
  "what's next?",
  'what should we do next?',
  'Which are the open tasks?',
  'O que falta fazer?',
  'quais são os próximos passos?',
  '¿Qué falta?',
  '¿qué sigue?',
])('recognises %j', prompt => {
  expect(isTaskQuestion(prompt)).toBe(true)
})

it.each([
  'the left column is too wide',
  'why does the next page load twice?',
  'fix the pending state of the button',
])('leaves %j alone', prompt => {
  expect(isTaskQuestion(prompt)).toBe(false)
})
