import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

const go = (page: Page, place: string) =>
  page.evaluate(to => {
    location.hash = to
  }, place)

/** A fake token, in two parts so that no scanner reports it. */
const TOKEN = `ghp_${'Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`

function haveThings({ root, run }: Pick<PageWorld, 'root' | 'run'>): void {
  run('remember', 'Something that was here before.')
  writeFileSync(
    path.join(root, 'CLAUDE.md'),
    '# Rules\n\n- Always run the linter before a commit.\n- Never edit generated files by hand.\n',
  )
  const adr = path.join(root, 'docs/adr')
  mkdirSync(adr, { recursive: true })
  writeFileSync(
    path.join(adr, '0001-sse.md'),
    '# 1. Stream by SSE\n\n## Status\n\nAccepted\n\n## Context\n\nProxies cut sockets.\n\n## Decision\n\nWe stream by server-sent events.\n',
  )
  const lines = [
    JSON.stringify({ text: `The deploy key is ${TOKEN} and lies in the vault.` }),
    '{ this is no JSON',
    ...Array.from({ length: 40 }, (_, n) =>
      JSON.stringify({ text: `Note ${n}: the part number ${n} was measured twice.` }),
    ),
  ]
  writeFileSync(path.join(root, 'notes.jsonl'), lines.join('\n'))
}

it('finds sources, previews and imports them, and reverts the import with one Undo', () =>
  inPage(
    async ({ page, run, faults, picture }) => {
      await go(page, '#/import')
      const rules = page.getByLabel(/^Agent instructions/)
      await rules.waitFor()
      await page.getByText('2 rules in CLAUDE.md').waitFor()
      await page.getByText('Each decision becomes a confirmed entry.').waitFor()
      await rules.check()
      await page.getByLabel(/^Decision records/).check()
      await page.getByLabel('Another file or folder').fill('notes.jsonl')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByLabel('Another file or folder').fill('/nowhere/at-all.jsonl')
      await page.getByRole('button', { name: 'Add' }).click()
      await picture('import-choose')
      expect(await accessibilityFaults(page)).toEqual([])
      // A preview writes nothing, and a failed source does not hide the others.
      await page.getByRole('button', { name: 'Preview 4 sources' }).click()
      await page.getByRole('button', { name: 'Import 3 sources' }).waitFor()
      const row = (name: string) =>
        page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, level: 3 }) })
      await row('notes.jsonl').getByText('41 new').waitFor()
      await row('notes.jsonl').getByText('1 secret removed').waitFor()
      await row('notes.jsonl').getByText('1 failed').waitFor()
      await row('/nowhere/at-all.jsonl').getByRole('alert').waitFor()
      await picture('import-look')
      expect(await accessibilityFaults(page)).toEqual([])
      expect(run('list', '--json')).toContain('"total":1')
      await page.getByRole('button', { name: 'Import 3 sources' }).click()
      await page.getByRole('heading', { name: /^44 new entries/ }).waitFor()
      await row('notes.jsonl').getByText('41 added').waitFor()
      expect(run('list', '--limit', '1', '--json')).toContain('"total":45')
      await picture('import-done')
      // One Undo reverts the whole import. Earlier entries stay.
      await page.getByRole('button', { name: 'Undo the import' }).click()
      await page.getByText('Import undone.').waitFor()
      expect(run('list', '--json')).toContain('"total":1')
      // The browser logs the missing file.
      expect(faults).toEqual([
        'Failed to load resource: the server responded with a status of 404 (Not Found)',
      ])
    },
    { before: haveThings },
  ))

it('works on a phone in the dark theme, reports when there are no sources, and reads no standard input', () =>
  inPage(
    async ({ page, url, faults, picture }) => {
      await go(page, '#/import')
      await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
      await page.getByText('No sources found in this project.').waitFor()
      await page.getByLabel('Agent sessions on this machine').check()
      expect(await accessibilityFaults(page)).toEqual([])
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
      await picture('import-320')
      await page.getByRole('button', { name: 'Preview 1 source' }).click()
      await page.getByText('0 new').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Back' }).click()
      await page.getByRole('button', { name: 'Preview 1 source' }).waitFor()
      expect(faults).toEqual([])
      const { origin, hash } = new URL(url)
      const ask = (authorization: string) =>
        page.request.post(`${origin}/api/import`, { data: { file: '-' }, headers: { authorization } })
      const refused = await ask(`Bearer ${hash.replace('#token=', '')}`)
      expect([refused.status(), (await refused.json()).code]).toEqual([400, 'invalid_input'])
      const strange = await ask('Bearer nothing')
      expect((await strange.json()).code).toBe('token_missing')
    },
    { width: 320, height: 640 },
  ))

it('shows the status of a linked Obsidian vault, and syncs it', () =>
  inPage(
    async ({ page, root, faults, picture }) => {
      await go(page, '#/import')
      const section = page.getByRole('region', { name: 'Obsidian' })
      const button = section.getByRole('button', { name: 'Sync now' })
      await button.waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await button.click()
      // The server also syncs automatically, and may have been faster.
      await page.getByText(/^(1 change|0 changes) synced\.$/).waitFor()
      await section.getByText('Everything is in sync.').waitFor()
      const notes = readdirSync(path.join(root, '../notes'), { recursive: true, encoding: 'utf8' })
      expect(notes.filter(name => name.endsWith('.md') && !name.startsWith('.'))).toHaveLength(1)
      await section.scrollIntoViewIfNeeded()
      await picture('import-obsidian')
      expect(faults).toEqual([])
    },
    {
      before: ({ root, run }) => {
        run('init', '--yes')
        run('remember', 'We stream by SSE, not WebSockets.')
        mkdirSync(path.join(root, '../notes/.obsidian'), { recursive: true })
        run('obsidian', 'link', path.join(root, '../notes'))
      },
    },
  ))
