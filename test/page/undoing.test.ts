import { writeFileSync } from 'node:fs'
import * as path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { inPage } from './page-world.ts'

/** Runs another change after the server has answered a route and before the page has received the answer. */
const inTheSameMoment = (page: Page, route: string, others: () => void) =>
  page.route(route, async asked => {
    const response = await asked.fetch()
    others()
    await asked.fulfill({ response })
  })

it('undoes its own change when another user writes at the same time', () =>
  inPage(
    async ({ page, root, faults, run }) => {
      const entries = () => JSON.parse(run('list', '--json')).entries as { id: string; content: string }[]
      const idOf = (words: string) => entries().find(({ content }) => content.includes(words))?.id ?? ''
      const [own, other] = [idOf('SSE'), idOf('importer')]
      await page.goto(`${page.url().split('#')[0]}#/vault?entry=${own}`)

      // Both give feedback: it is stored in one document, and the other user's record is newer.
      await inTheSameMoment(page, '**/feedback', () => run('feedback', other, 'wrong'))
      await page.getByRole('button', { name: 'Useful' }).click()
      const toast = page.locator('.toast').filter({ hasText: 'Marked as useful' })
      await toast.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone.').waitFor()
      expect(JSON.parse(run('feedback', other, 'wrong', '--json'))).toMatchObject({ useful: 0, wrong: 2 })
      expect(JSON.parse(run('feedback', own, 'wrong', '--json'))).toMatchObject({ useful: 0, wrong: 1 })

      // Both import through the same server.
      writeFileSync(path.join(root, 'mine.jsonl'), '{"text":"Mine came by an import."}\n')
      writeFileSync(path.join(root, 'theirs.jsonl'), '{"text":"Theirs came by an import."}\n')
      await page.goto(`${page.url().split('#')[0]}#/import`)
      await page.getByLabel('Another file or folder').fill('mine.jsonl')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: /^Preview/ }).click()
      await page.getByRole('button', { name: /^Import/ }).waitFor()
      await inTheSameMoment(page, '**/api/import', () => run('import', 'theirs.jsonl'))
      await page.getByRole('button', { name: /^Import/ }).click()
      await page.getByRole('button', { name: 'Undo the import' }).click()
      await page.getByText('Import undone.').waitFor()
      expect(run('list')).toContain('Theirs came by an import.')
      expect(run('list')).not.toContain('Mine came by an import.')

      // The palette undoes changes of this page only, not the latest change.
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Type a command' }).waitFor()
      await page.keyboard.type('undo')
      await page.keyboard.press('Enter')
      await page.getByText('Nothing to undo on this page.').waitFor()
      expect(run('list')).toContain('Theirs came by an import.')
      expect(faults).toEqual([])
    },
    {
      before: ({ run }) => {
        run('remember', 'We stream by SSE, not WebSockets.')
        run('remember', 'The importer retries three times.')
      },
    },
  ))

it('shows no Undo without effect, and links to the journal when a later change blocks it', () =>
  inPage(
    async ({ page, picture, run }) => {
      const entry = page.getByRole('article', { name: 'We stream by SSE' })
      await entry.waitFor()
      // The palette is preloaded one second after the first paint.
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('palette')),
      )

      // Typed before the palette opens: no key triggers a shortcut of the page, such as n for a new entry.
      await entry.click()
      await page.keyboard.press('p')
      const pinned = page.locator('.toast').filter({ hasText: 'Pinned' })
      await pinned.waitFor()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('undo')
      expect(await page.getByRole('combobox', { name: 'Type a command' }).inputValue()).toBe('undo')
      expect(await page.getByRole('dialog').count()).toBe(1)
      await page.keyboard.press('Enter')
      await page.getByText('Undone.').waitFor()
      expect(await pinned.count()).toBe(0)

      // Shown once, however often it is requested.
      for (const _ of [1, 2]) {
        await page.keyboard.press('Control+k')
        await page.keyboard.type('undo')
        await page.keyboard.press('Enter')
        await page.getByText('Nothing to undo on this page.').waitFor()
      }
      expect(await page.getByText('Nothing to undo on this page.').count()).toBe(1)

      await entry.click()
      await page.keyboard.press('p')
      await pinned.waitFor()
      run('edit', 'SSE', '--content', 'We stream by SSE, and by nothing else.')
      await pinned.getByRole('button', { name: 'Undo' }).click()
      const failed = page.locator('.toast.bad')
      await failed.waitFor()
      await picture('undo-later-change')
      await failed.getByRole('button', { name: 'Show the journal' }).click()
      await page.getByRole('heading', { name: 'Change journal' }).waitFor()
    },
    { before: ({ run }) => void run('remember', '--kind', 'decision', 'We stream by SSE, not WebSockets.') },
  ))
