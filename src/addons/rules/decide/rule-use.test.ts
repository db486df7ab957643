import { describe, expect, it } from 'vitest'
import { measureRule, sessionSubject } from './advise.ts'

const work = (text: string) => sessionSubject([text])
const sessions = [
  ...Array.from({ length: 17 }, (_, n) =>
    work(`Fix the parser bug number ${n}: run npm test, then commit the change to the main branch.`),
  ),
  ...Array.from({ length: 3 }, () =>
    work('Deploy the service to staging with terraform apply, then commit to the main branch.'),
  ),
]

describe('how much a rule had to do with sessions', () => {
  it('is the share of those that were about it', () => {
    expect(measureRule('Run npm test before you commit a change.', sessions)).toMatchObject({ touched: 17 })
    expect(measureRule('Commit to the main branch.', sessions)).toMatchObject({ touched: 20, share: 1 })
  })

  it('does not count words that every session has, when the telling ones are missing', () => {
    expect(measureRule('Deploys go to staging first, from the main branch.', sessions)).toMatchObject({
      touched: 3,
      sessions: 20,
    })
  })

  it('knows a rule by what it names, even when no session ever named it', () => {
    expect(measureRule('Feature flags live in Redis.', sessions)).toMatchObject({ touched: 0 })
    expect(
      measureRule('`src/parser.ts` is generated.', [work('I changed src/parser.ts'), ...sessions]),
    ).toMatchObject({
      kind: 'measured',
    })
  })

  it('claims nothing of a rule that says how to work', () => {
    expect(measureRule('Be brief, and admit uncertainty.', sessions)).toEqual({ kind: 'no subject' })
  })

  it('hears Portuguese as well', () => {
    const spoken = [
      work('Vamos fazer o deploy da aplicação na homologação agora'),
      work('Corrigir os testes do parser'),
    ]
    expect(measureRule('O deploy da aplicação passa pela homologação.', spoken)).toMatchObject({ touched: 1 })
  })
})
