import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyAmongOthers, applyFileEdits, fileEdits, invertFileEdits } from './file-edits.ts'

/** The identity: texts are compared here. */
const hash = (text: string) => text

const text = fc.option(
  fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', 'd\n', '\n', 'e'), { maxLength: 15 })
    .map(lines => lines.join('')),
)

describe('edits of a file', () => {
  it('lead there and back, whatever the texts are', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const edits = fileEdits({ type: 'file', path: 'a.md', before, after }, hash)
        expect(applyFileEdits(before, edits, hash)).toEqual({ kind: 'edited', text: after })
        expect(applyFileEdits(after, invertFileEdits(edits), hash)).toEqual({ kind: 'edited', text: before })
      }),
    )
  })

  it('find lines that moved, and leave the others as they are', () => {
    const edits = fileEdits({ type: 'file', path: 'a.md', before: 'x\nold\ny\n', after: 'x\nnew\ny\n' }, hash)
    expect(applyAmongOthers('top\nx\nnew\nY\n', invertFileEdits(edits), hash)).toEqual({
      kind: 'edited',
      text: 'top\nx\nold\nY\n',
    })
  })

  it('are refused where their lines stand twice, or nowhere', () => {
    const edits = invertFileEdits(
      fileEdits({ type: 'file', path: 'a.md', before: 'x\nold\n', after: 'x\nnew\n' }, hash),
    )
    expect(applyAmongOthers('new\nx\nz\nnew\n', edits, hash)).toEqual({ kind: 'refused' })
    expect(applyAmongOthers('x\nother\n', edits, hash)).toEqual({ kind: 'refused' })
    expect(applyAmongOthers(null, edits, hash)).toEqual({ kind: 'refused' })
  })

  it('do not bring back into other lines what only went', () => {
    const edits = invertFileEdits(
      fileEdits({ type: 'file', path: 'a.md', before: 'x\ngone\ny\n', after: 'x\ny\n' }, hash),
    )
    expect(applyAmongOthers('x\nnew\ny\n', edits, hash)).toEqual({ kind: 'refused' })
  })
})
