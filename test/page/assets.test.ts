import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'

const WEB = fileURLToPath(new URL('../../dist/web/', import.meta.url))

interface Asset {
  readonly name: string
  readonly text: string
  readonly compressed: number
}

let assets: readonly Asset[] = []

beforeAll(() => {
  assets = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    // Those that are compressed for the wire are the same once more.
    .filter(name => !['', '.br', '.gz'].includes(path.extname(name)))
    .map(name => {
      const bytes = readFileSync(path.join(WEB, name))
      // What the build has compressed is what a browser gets; it is not there where it would be no smaller.
      const sent = [name, `${name}.br`].map(each => path.join(WEB, each)).findLast(existsSync) as string
      return { name, text: bytes.toString('utf8'), compressed: statSync(sent).size }
    })
})

describe('what the page is made of', () => {
  it('is there', () => {
    expect(existsSync(path.join(WEB, 'index.html'))).toBe(true)
    expect(assets.length).toBeGreaterThan(15)
  })

  it('is less than 350 KB compressed, all views together', () => {
    expect(assets.reduce((sum, { compressed }) => sum + compressed, 0)).toBeLessThan(350 * 1024)
  })

  it('begins with less than 130 KB in few files, all of which the document names', () => {
    const html = readFileSync(path.join(WEB, 'index.html'), 'utf8')
    const named = new Set([...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, name]) => name))
    const first = assets.filter(({ name }) => named.has(name) || name === 'index.html')
    expect(first.map(({ name }) => name.replace(/-[\w-]{8}\./, '.')).sort()).toEqual([
      'assets/first.css',
      'assets/first.js',
      'assets/react.js',
      'assets/rolldown-runtime.js',
      'assets/start.js',
      'cairn.svg',
      'index.html',
      'theme.js',
    ])
    expect(first.reduce((sum, { compressed }) => sum + compressed, 0)).toBeLessThan(130 * 1024)
  })

  it('asks its first questions by a script that waits for no other', () => {
    const start = assets.find(({ name }) => name.startsWith('assets/start-'))
    expect(start?.text).not.toContain('./')
    expect(start?.compressed).toBeLessThan(3 * 1024)
  })

  it('asks for nothing from elsewhere', () => {
    // The addresses of formats and of error texts, which nothing is loaded from.
    const named =
      /^https?:\/\/(?:www\.w3\.org\/|react\.dev\/|github\.com\/(?:markedjs|highlightjs)\/|127\.0\.0\.1)/
    const found = assets.flatMap(({ name, text }) =>
      [...text.matchAll(/https?:\/\/[\w.-]+\.[a-z]{2,}[^\s"'`)]*/g)]
        .map(([address]) => address)
        .filter(address => !named.test(address))
        .map(address => `${name}: ${address}`),
    )
    expect(found).toEqual([])
    const loading = assets.flatMap(({ name, text }) =>
      [...text.matchAll(/(?:@import|url\()\s*["']?(?:https?:)?\/\/[^"')]+/g)].map(
        ([use]) => `${name}: ${use}`,
      ),
    )
    expect(loading).toEqual([])
  })

  it('has no script, style or handler in the document itself', () => {
    const html = readFileSync(path.join(WEB, 'index.html'), 'utf8')
    expect(html.match(/<script(?![^>]*\ssrc=)[^>]*>/g)).toBe(null)
    expect(html.match(/<style|\sstyle=|\son\w+=/g)).toBe(null)
  })
})
