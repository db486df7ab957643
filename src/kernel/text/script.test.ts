import { expect, it } from 'vitest'
import { isMostlyLatin } from './script.ts'

it.each([
  ['why does checkout hang?', true],
  ['Não use o cache em produção…', true],
  ['fix the 登录 page of the admin panel, please', true],
  ['重启后端', false],
  ['把 Supabase 的配置改成新的项目', false],
  ['почему падает сборка?', false],
])('%j is mostly Latin: %s', (text, is) => {
  expect(isMostlyLatin(text)).toBe(is)
})
