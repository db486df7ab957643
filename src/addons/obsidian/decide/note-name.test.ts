import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aliasOf, foldName, noteName } from './note-name.ts'

const name = (content: string, id = '1773679871839-k3f9', taken: readonly string[] = []) =>
  noteName({ id, content }, other => taken.includes(foldName(other)))

describe('noteName', () => {
  it('is what the entry begins with, and the end of its id', () => {
    expect(name('## Sessions live in Redis.\n\nFor one hour.')).toBe('Sessions live in Redis k3f9')
    expect(name('- [ ] Rotate the key')).toBe('Rotate the key k3f9')
    expect(name('Não mude `auth/*`: veja [[1773679871839-aaaa|isto]] #auth')).toBe(
      'Não mude `auth `  veja isto  auth k3f9'.replace(/ +/g, ' '),
    )
  })

  it('holds nothing that a system or a link cannot take', () => {
    expect(name('a\\b/c:d*e?f"g<h>i|j#k^l[m]n\u0000o\u202ep')).toBe('a b c d e f g h i j k l m n o p k3f9')
    expect(name('...hidden...')).toBe('hidden k3f9')
    expect(name('CON')).toBe('CON k3f9')
    expect(name('\u0000')).toBe('Note k3f9')
  })

  it('tells two apart that differ in case alone, by the whole id', () => {
    expect(name('Redis', '1773679871839-k3f9', ['redis k3f9'])).toBe('Redis 1773679871839-k3f9')
    expect(name('Redis', '1773679871839-k3f9', ['redis k3f9', 'redis 1773679871839-k3f9'])).toBe(
      'Redis 1773679871839-k3f9 2',
    )
  })

  it('is safe and short whatever the entry says', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ maxLength: 60 }),
        (content, id) => {
          const made = name(content, id)
          expect(made).not.toMatch(/[\\/:*?"<>|#^[\]\p{Cc}]|^[. ]|[. ]$/u)
          expect(new TextEncoder().encode(made).length).toBeLessThan(240)
          expect(made).toBe(made.normalize('NFC'))
        },
      ),
    )
  })
})

it('an alias has no mark of a heading and no id', () => {
  expect(aliasOf('# See [[1773679871839-k3f9]] now')).toBe('See  now')
})
