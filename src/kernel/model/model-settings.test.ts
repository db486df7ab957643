import { expect, test } from 'vitest'
import { DEFAULT_CONFIG } from './config.ts'
import {
  costMicroUsd,
  hasPrice,
  modelLabel,
  modelSettings,
  modelTermsOf,
  termsText,
} from './model-settings.ts'

const settings = (changes: object) => {
  const made = modelSettings({ ...DEFAULT_CONFIG, ...changes })
  if (made.use === 'off') throw new Error('off')
  return made
}

test('off unless it is configured', () => {
  expect(modelSettings(DEFAULT_CONFIG)).toEqual({ use: 'off' })
})

test('an empty address is the vendor’s own, or the Ollama of this machine', () => {
  expect(settings({ 'model.use': 'anthropic' })).toMatchObject({ url: 'https://api.anthropic.com' })
  expect(settings({ 'model.use': 'openai' })).toMatchObject({ url: 'http://127.0.0.1:11434/v1' })
  expect(settings({ 'model.use': 'openai', 'model.url': 'https://m.example/v1' })).toMatchObject({
    url: 'https://m.example/v1',
  })
})

test('the agreement covers everything that sends, runs or costs, and not the timeout', () => {
  const base = { 'model.use': 'openai', 'model.name': 'm' }
  const text = (changes: object) => termsText(modelTermsOf(settings({ ...base, ...changes })))
  const changes = {
    'model.use': 'anthropic',
    'model.url': 'https://m.example/v1',
    'model.name': 'n',
    'model.keyVariable': 'AWS_SECRET_ACCESS_KEY',
    'model.dailyTokens': 1,
    'model.dailyCents': 51,
    'model.inputPrice': 1,
    'model.outputPrice': 1,
    'model.maxOutputTokens': 101,
  }
  const texts = Object.entries(changes).map(([key, value]) => text({ [key]: value }))
  expect(new Set([text({}), ...texts]).size).toBe(texts.length + 1)
  expect(text({ 'model.timeoutMs': 5_000 })).toBe(text({}))
  // The settings of another kind of model do not matter here.
  expect(text({ 'model.command': ['rm', '-rf'] })).toBe(text({}))
  const cli = (command: string[]) =>
    termsText(modelTermsOf(settings({ 'model.use': 'cli', 'model.command': command })))
  expect(cli(['a', 'b c'])).not.toBe(cli(['a', 'b', 'c']))
})

test('prices are cents for a million tokens, rounded up to a millionth of a dollar', () => {
  const price = { inputPrice: 300, outputPrice: 1_500 }
  expect(costMicroUsd({ inputTokens: 1_000_000, outputTokens: 0 }, price)).toBe(3_000_000)
  expect(costMicroUsd({ inputTokens: 8_000, outputTokens: 2_000 }, price)).toBe(54_000)
  expect(costMicroUsd({ inputTokens: 1, outputTokens: 0 }, { inputPrice: 1, outputPrice: 0 })).toBe(1)
  expect([hasPrice(price), hasPrice({ inputPrice: 0, outputPrice: 0 })]).toEqual([true, false])
})

test('a name for lists', () => {
  expect(modelLabel(modelTermsOf(settings({ 'model.use': 'cli' })))).toBe('cli:claude')
  expect(modelLabel(modelTermsOf(settings({ 'model.use': 'openai', 'model.name': 'm' })))).toBe('openai:m')
})
