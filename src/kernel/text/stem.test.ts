import { expect, test } from 'vitest'
import { stemWord } from './stem.ts'

function meet(language: 'en' | 'pt', words: string): string[] {
  return [...new Set(words.split(' ').map(word => stemWord(word, language)))]
}

test.each([
  ['connect connects connected connecting connection connections', 'connect'],
  ['retry retries retried retrying', 'retri'],
  ['deploy deploys deployed deploying deployment', 'deploy'],
  ['cache caches cached caching', 'cach'],
  ['configure configured configuration configurations', 'configur'],
  ['run runs running ran', 'run'],
  ['write writes wrote written', 'write'],
  ['index indexes indices indexing', 'index'],
  ['add adds added adding', 'add'],
])('brings %s together', (words, stem) => {
  expect(meet('en', words)).toEqual([stem])
})

test('keeps apart what only looks alike', () => {
  expect(meet('en', 'general generate')).toEqual(['general', 'generat'])
  expect(meet('en', 'status class sky')).toEqual(['status', 'class', 'ski'])
})

test.each([
  ['decisao decisoes', 'decis'],
  ['erro erros', 'err'],
  ['configurar configuracao configuracoes', 'configur'],
  ['transacao transacoes', 'transac'],
  ['variavel variaveis', 'variavel'],
  ['canal canais', 'canal'],
  ['imagem imagens', 'imag'],
  ['servidor servidores', 'servidor'],
  ['estorno estornos estornar estornado', 'estorn'],
])('brings %s together in Portuguese', (words, stem) => {
  expect(meet('pt', words)).toEqual([stem])
})

test('leaves words with digits, of other scripts and of two letters alone', () => {
  expect(['k8s', 'utf8', '検索', 'is', 'x'.repeat(50)].map(word => stemWord(word, 'en'))).toEqual([
    'k8s',
    'utf8',
    '検索',
    'is',
    'x'.repeat(50),
  ])
})
