import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type BriefItem, PROMPT_TIERS, type Tier } from '../../../kernel/model/selection.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { allocate, promptTierLimit, totalBudget } from './allocate.ts'

function item(id: string, tokens: number): BriefItem {
  return { id, text: `text of ${id}`, tokens }
}

const ids = (tiers: readonly Tier[], total: number) => allocate(tiers, total).included.map(each => each.id)

describe('the total', () => {
  it('is 8 % of what is left, and 5,000 at most', () => {
    const totals = [100_000, 50_000, 20_000, 8_000].map(remainingContext =>
      totalBudget({ remainingContext, configuredDefault: 1 }),
    )
    expect(totals).toEqual([5_000, 4_000, 1_600, 640])
  })

  it('comes from the configured default where the host does not tell, and never exceeds what the host takes', () => {
    expect(totalBudget({ configuredDefault: 20_000 })).toBe(1_600)
    expect(totalBudget({ remainingContext: 100_000, configuredDefault: 20_000, hostCapTokens: 2_300 })).toBe(
      2_300,
    )
    expect(totalBudget({ configuredDefault: 100_000, maxTokens: 800 })).toBe(800)
    expect(totalBudget({ remainingContext: -5, configuredDefault: 20_000 })).toBe(0)
  })

  it("is divided as in the seed's table, straight between its rows", () => {
    const limits = (total: number) =>
      PROMPT_TIERS.flatMap(tier => (tier === 'preferences' ? [] : [promptTierLimit(tier, total)]))
    expect(limits(5_000)).toEqual([400, 2_300, 1_500, 600])
    expect(limits(4_000)).toEqual([320, 1_840, 1_196, 600])
    expect(limits(1_600)).toEqual([200, 700, 500, 200])
    expect(limits(640)).toEqual([200, 500, 300, 200])
    expect(limits(2_800)).toEqual([260, 1_270, 848, 400])
    expect(limits(320)).toEqual([100, 250, 150, 100])
    expect(limits(9_000)).toEqual([400, 2_300, 1_500, 600])
    expect(limits(0)).toEqual([0, 0, 0, 0])
  })
})

describe('the tiers', () => {
  it('are filled by priority until the total is spent', () => {
    const tiers: Tier[] = [
      { name: 'always-inject', softLimit: 100, items: [item('a', 60), item('b', 60)] },
      { name: 'retrieval', softLimit: 100, items: [item('c', 90)] },
      { name: 'session-summary', softLimit: 100, items: [item('d', 50)] },
    ]
    expect(ids(tiers, 150)).toEqual(['a', 'c'])
    expect(allocate(tiers, 150).left).toEqual([
      { id: 'b', tier: 'always-inject', reason: 'no room' },
      { id: 'd', tier: 'session-summary', reason: 'no room' },
    ])
  })

  it('hand on what they do not need', () => {
    const tiers: Tier[] = [
      { name: 'always-inject', softLimit: 100, items: [item('a', 20)] },
      { name: 'retrieval', softLimit: 50, items: [item('b', 60), item('c', 60)] },
    ]
    expect(ids(tiers, 140)).toEqual(['a', 'b', 'c'])
  })

  it('get in the second round what the others left', () => {
    const tiers: Tier[] = [
      { name: 'handoff', softLimit: 10, items: [item('a', 80)] },
      { name: 'lessons', softLimit: 50, items: [item('b', 20)] },
    ]
    expect(ids(tiers, 100)).toEqual(['a', 'b'])
    expect(ids(tiers, 99)).toEqual(['b'])
  })

  it('pass over what does not fit, for something smaller', () => {
    expect(ids([{ name: 'retrieval', softLimit: 50, items: [item('a', 90), item('b', 30)] }], 50)).toEqual([
      'b',
    ])
  })
})

describe('pinned items that do not all fit whole', () => {
  const pinned = (id: string, words: number): BriefItem => {
    const text = `${id} ${'word '.repeat(words)}`.trim()
    return { id, text, tokens: estimateTokens(text) + 30, mayCut: true }
  }
  const sizes = (items: readonly BriefItem[], total: number) =>
    allocate(
      [
        { name: 'always-inject', softLimit: items.reduce((sum, { tokens }) => sum + tokens, 0), items },
        { name: 'retrieval', softLimit: 300, items: [item('lower', 40)] },
      ],
      total,
    ).included

  it('are cut alike, and each is shown before anything below them', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map(id => pinned(id, 400))
    const included = sizes(five, 640)
    expect(included.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
    for (const { tokens, isCut } of included) {
      expect(isCut).toBe(true)
      expect(tokens).toBeGreaterThan(100)
      expect(tokens).toBeLessThanOrEqual(640 / 5 + 3)
    }
  })

  it('leave the short ones whole', () => {
    const included = sizes([pinned('long', 900), pinned('short', 10)], 300)
    expect(included.map(({ id, isCut }) => [id, isCut])).toEqual([
      ['long', true],
      ['short', false],
    ])
  })

  it('are shown in their order where the room is not enough for a sentence of each', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map(id => pinned(id, 400))
    expect(sizes(five, 120).map(({ id }) => id)).toEqual(['a', 'b'])
  })
})

test('cuts what may be cut, with what is written around it counted', () => {
  const text = 'A sentence about the project. '.repeat(40).trim()
  const whole = { text, tokens: estimateTokens(text) + 5, mayCut: true }
  const [cut] = allocate([{ name: 'project', softLimit: 60, items: [whole] }], 60).included
  expect(cut?.isCut).toBe(true)
  expect(cut?.text).toMatch(/^A sentence about the project\. .*\[…\]$/)
  expect(cut?.tokens).toBeLessThanOrEqual(60)
  expect(allocate([{ name: 'project', softLimit: 20, items: [whole] }], 20).included).toEqual([])
})

test('says that an empty item is empty', () => {
  const tiers: Tier[] = [{ name: 'retrieval', softLimit: 9, items: [{ id: 'a', text: ' \n', tokens: 1 }] }]
  expect(allocate(tiers, 9).left).toEqual([{ id: 'a', tier: 'retrieval', reason: 'empty' }])
})

const anyItem = fc
  .record({ words: fc.integer({ min: 1, max: 120 }), around: fc.nat(12), mayCut: fc.boolean() })
  .map(({ words, around, mayCut }): BriefItem => {
    const text = 'word '.repeat(words).trim()
    return { text, tokens: estimateTokens(text) + around, mayCut }
  })
const anyTiers = fc
  .array(fc.record({ softLimit: fc.nat(300), items: fc.array(anyItem, { maxLength: 5 }) }), { maxLength: 4 })
  .map(tiers =>
    tiers.map(
      ({ softLimit, items }, place): Tier => ({
        name: PROMPT_TIERS[place] ?? 'retrieval',
        softLimit,
        items: items.map((each, n) => ({ ...each, id: `${place}.${n}` })),
      }),
    ),
  )
const anyTotal = fc.nat(600)

describe('whatever it is given', () => {
  it('never spends more than the total, and counts what it spends', () => {
    fc.assert(
      fc.property(anyTiers, anyTotal, (tiers, total) => {
        const { included, tokens } = allocate(tiers, total)
        expect(tokens).toBe(included.reduce((sum, each) => sum + each.tokens, 0))
        expect(tokens).toBeLessThanOrEqual(total)
      }),
    )
  })

  it('loses nothing and keeps the order', () => {
    fc.assert(
      fc.property(anyTiers, anyTotal, (tiers, total) => {
        const given = tiers.flatMap(tier => tier.items.map(each => each.id))
        const { included, left } = allocate(tiers, total)
        const order = (list: readonly { readonly id?: string }[]) => list.map(each => given.indexOf(each.id))
        expect([...included, ...left].map(each => each.id).sort()).toEqual([...given].sort())
        expect(order(included)).toEqual(order(included).toSorted((a, b) => a - b))
      }),
    )
  })

  it('leaves nothing out that would still fit', () => {
    fc.assert(
      fc.property(anyTiers, anyTotal, (tiers, total) => {
        const { left, tokens } = allocate(tiers, total)
        const costById = new Map(tiers.flatMap(tier => tier.items.map(each => [each.id, each.tokens])))
        for (const { id } of left) expect(costById.get(id)).toBeGreaterThan(total - tokens)
      }),
    )
  })

  it('gives a short pinned entry its room, also beside one that does not fit at all', () => {
    const long = { id: 'long', text: 'word '.repeat(25), tokens: 33, mayCut: false }
    const short = { id: 'short', text: 'word', tokens: 1, mayCut: false }
    const preference = { id: 'preference', text: 'word '.repeat(24), tokens: 32, mayCut: false }
    const tiers: Tier[] = [
      { name: 'always-inject', softLimit: 32, items: [long, short] },
      { name: 'preferences', softLimit: 32, items: [preference] },
    ]
    expect(allocate(tiers, 32).included.map(({ id }) => id)).toEqual(['short'])
  })

  it('gives a tier nothing that an earlier one could have used, where no soft limit holds that one back', () => {
    fc.assert(
      fc.property(anyTiers, anyTotal, fc.nat(4), (tiers, total, count) => {
        const free = tiers.map(tier => ({ ...tier, softLimit: total }))
        const first = allocate(free.slice(0, count), total).included
        expect(allocate(free, total).included.slice(0, first.length)).toEqual(first)
      }),
    )
  })

  it('answers the same again', () => {
    fc.assert(
      fc.property(anyTiers, anyTotal, (tiers, total) => {
        expect(allocate(tiers, total)).toEqual(allocate(tiers, total))
      }),
    )
  })
})
