import { describe, expect, it } from 'vitest'
import { compareStatements, type StatedText } from './same-statement.ts'

const said = (content: string): StatedText => ({
  content,
  kind: 'decision',
  tags: [],
  files: [],
  date: '2026-11-01T10:00',
})
const kindOf = (a: string, b: string, cosine?: number) => compareStatements(said(a), said(b), cosine).kind

describe('compareStatements', () => {
  it('knows the same statement again in another order and with other filler', () => {
    expect(
      kindOf(
        'We use pnpm workspaces for the monorepo, never npm.',
        'For the monorepo: pnpm workspaces, and never npm.',
      ),
    ).toBe('same')
    expect(
      kindOf(
        'The proxy drops idle sockets after a minute, so the client sends heartbeats.',
        'Idle sockets are dropped by the proxy after a minute; the client sends a heartbeat.',
      ),
    ).toBe('same')
  })

  it('leaves to meaning what shares some of its words', () => {
    const a = 'Invoices are numbered by the database sequence and gaps are accepted.'
    const b = 'A database sequence gives the invoice number; holes in it do not matter.'
    expect(kindOf(a, b)).toBe('near')
    expect(kindOf(a, b, 0.85)).toBe('same')
    expect(kindOf(a, b, 0.6)).toBe('other')
  })

  it('does not take the opposite for the same, however near', () => {
    expect(
      kindOf('Always run migrations before the deploy.', 'Never run migrations before the deploy.', 0.95),
    ).toBe('other')
    expect(kindOf('Sessions are kept in Redis.', 'Sessions are kept in PostgreSQL.', 0.9)).toBe('other')
  })

  it('takes a reversal for news, not for the decision that it reverses', () => {
    const pairs: [string, string][] = [
      [
        'We use Terraform for the infrastructure, always.',
        'We stopped using Terraform for the infrastructure, always use Pulumi.',
      ],
      [
        'We decided to run background jobs on Sidekiq because it is simple.',
        'Actually, we changed our mind: background jobs run on BullMQ now, Sidekiq is dropped because of licensing.',
      ],
      ['Jobs run on Sidekiq.', 'We decided that Sidekiq was retired; jobs run on BullMQ now.'],
      ['The export runs at night.', 'The export no longer runs at night.'],
      ['Usamos Redis para as sessões.', 'Passamos a usar Valkey para as sessões, não Redis.'],
    ]
    for (const [before, after] of pairs) expect([after, kindOf(before, after, 0.9)]).toEqual([after, 'other'])
  })

  it('takes what is said of one name for no word about all', () => {
    expect(
      kindOf('Retries are limited to three.', 'Retries are limited to three for Stripe calls.', 0.9),
    ).toBe('other')
  })

  it('does not take another number for the same', () => {
    expect(kindOf('The gateway listens on port 8080.', 'The gateway listens on port 8081.', 0.97)).toBe(
      'other',
    )
  })

  it('does not take a remark for the page that it stands in', () => {
    const page =
      'Deploys go through the release branch. The pipeline builds an image, signs it, pushes it to the registry, runs the smoke tests in staging, waits for an approval and then rolls it out region by region with a canary of five percent.'
    expect(kindOf('The pipeline signs the image.', page, 0.7)).toBe('other')
  })

  it('says other of what has nothing in common, and of nothing at all', () => {
    expect(kindOf('The cache is flushed at midnight.', 'Buttons are blue.')).toBe('other')
    expect(kindOf('…', 'Buttons are blue.', 0.9)).toBe('other')
  })
})
