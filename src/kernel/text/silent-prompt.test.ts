import { expect, it } from 'vitest'
import { isSilentPrompt } from './silent-prompt.ts'

it.each([
  'yes',
  'Yes, please.',
  'ok go on',
  'ok, continue',
  'Yep go ahead',
  'sim, pode',
  'beleza, manda bala',
  'sí, dale',
  'vale, adelante',
  "let's go with option B please",
  '2',
  'commit and push',
  'Great, commit these changes and push to main',
  'can you just give me a one line commit message',
  'faz o commit e o push',
  'haz commit y push de los cambios',
  'please open a pull request',
  'what about this?',
  'how does it do that',
  '👍',
  '',
])('is silent for %j', prompt => {
  expect(isSilentPrompt(prompt)).toBe(true)
})

it.each([
  'why does the login form hang?',
  'yes, and use Redis for the queue',
  'commit hooks fail on Windows',
  'push the image to the staging registry',
  'continue with the invoice export',
  'o deploy falhou de novo',
  'por que usamos filas?',
  'fix the retry',
  'cache',
])('is not silent for %j', prompt => {
  expect(isSilentPrompt(prompt)).toBe(false)
})
