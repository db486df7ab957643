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
    // The compressed files repeat the others.
    .filter(name => !['', '.br', '.gz'].includes(path.extname(name)))
    .map(name => {
      const bytes = readFileSync(path.join(WEB, name))
      // A browser gets the compressed file. There is none where compression does not help.
      const sent = [name, `${name}.br`].map(each => path.join(WEB, each)).findLast(existsSync) as string
      return { name, text: bytes.toString('utf8'), compressed: statSync(sent).size }
    })
})

describe('page assets', () => {
  it('exist', () => {
    expect(existsSync(path.join(WEB, 'index.html'))).toBe(true)
    expect(assets.length).toBeGreaterThan(15)
  })

  it('are less than 350 KB compressed, with all views', () => {
    expect(assets.reduce((sum, { compressed }) => sum + compressed, 0)).toBeLessThan(350 * 1024)
  })

  it('load less than 130 KB in few files at first, all of them named in the document', () => {
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

  it('send the first requests from a script that waits for no other', () => {
    const start = assets.find(({ name }) => name.startsWith('assets/start-'))
    expect(start?.text).not.toContain('./')
    expect(start?.compressed).toBeLessThan(3 * 1024)
  })

  it('load nothing from other servers', () => {
    // Addresses of formats and error texts. Nothing is loaded from them.
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

  it('have no inline script, style or handler in the document', () => {
    const html = readFileSync(path.join(WEB, 'index.html'), 'utf8')
    expect(html.match(/<script(?![^>]*\ssrc=)[^>]*>/g)).toBe(null)
    expect(html.match(/<style|\sstyle=|\son\w+=/g)).toBe(null)
  })
})
