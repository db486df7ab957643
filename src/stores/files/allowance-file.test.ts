import { describe, expect, it } from 'vitest'
import { readIn, scratchProject } from '../../../test/support/scratch-project.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { type AllowedThing, allowanceFile } from './allowance-file.ts'

const AT = '2026-03-16T10:00'

function open(root: string, thing: AllowedThing, project = '/p') {
  return allowanceFile({ file: `${root}/allowed.json`, project, thing, disk: nodeDisk })
}

describe('what was allowed', () => {
  it('is kept by thing and by project', () => {
    const root = scratchProject()
    open(root, 'models').put('a model', AT)
    open(root, 'embedders').put('an embedder', AT)
    expect(open(root, 'models').find()).toEqual({ kind: 'allowed', terms: 'a model', at: AT })
    expect(open(root, 'embedders').find()).toEqual({ kind: 'allowed', terms: 'an embedder', at: AT })
    expect(open(root, 'embedders', '/other').find()).toEqual({ kind: 'none' })
    expect(open(root, 'embedders').remove()).toBe(true)
    expect(open(root, 'embedders').remove()).toBe(false)
    expect(open(root, 'models').find()).toMatchObject({ kind: 'allowed' })
  })

  it('is read from a file of before embedders were asked for', () => {
    const root = scratchProject({
      'allowed.json': JSON.stringify({ version: 1, models: { '/p': { terms: 'a model', at: AT } } }),
    })
    expect(open(root, 'embedders').find()).toEqual({ kind: 'none' })
    open(root, 'embedders').put('an embedder', AT)
    expect(open(root, 'models').find()).toEqual({ kind: 'allowed', terms: 'a model', at: AT })
  })

  it('is nothing when the file is damaged, which is kept', () => {
    const root = scratchProject({ 'allowed.json': '{"version":1,"models":{},"embedders":{"/p":true}}' })
    expect(open(root, 'embedders').find()).toEqual({ kind: 'damaged' })
    open(root, 'embedders').put('an embedder', AT)
    expect(open(root, 'embedders').find()).toMatchObject({ kind: 'allowed' })
    expect(readIn(root, 'allowed.json.damaged')).toContain('true')
  })
})
