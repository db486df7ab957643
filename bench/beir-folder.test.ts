import { describe, expect, it } from 'vitest'
import { groupFacts, relevantDocuments } from './beir-folder.ts'

describe('relevantDocuments', () => {
  it('takes only the rows of score 2 where a folder has any', () => {
    const rows = [
      ['q1', 'a', '2'],
      ['q1', 'b', '1'],
      ['q2', 'c', '1'],
    ]
    expect(relevantDocuments(rows)).toEqual(new Map([['q1', ['a']]]))
  })

  it('takes every row of score 1 where no row has more, and none of score 0', () => {
    const rows = [
      ['q1', 'a', '1'],
      ['q1', 'b', '0'],
      ['q2', 'c', '1'],
    ]
    expect(relevantDocuments(rows)).toEqual(
      new Map([
        ['q1', ['a']],
        ['q2', ['c']],
      ]),
    )
  })
})

describe('groupFacts', () => {
  it('makes one fact of documents that state the same, listed as relevant or not', () => {
    const twins = new Map([
      ['a', ['b']],
      ['b', ['a', 'c']],
      ['c', ['b']],
    ])
    expect(groupFacts(['a', 'b', 'z'], twins)).toEqual([['a', 'b', 'c'], ['z']])
  })
})
