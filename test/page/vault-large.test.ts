import * as path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { typeOver } from '../support/vault-files.ts'
import { writeLines } from './believable-memory.ts'
import { largeMemory } from './large-memory.ts'
import { inPage, type PageWorld } from './page-world.ts'

const rows = (page: Page) => page.getByRole('list', { name: 'Entries' }).getByRole('article')
const row = (page: Page, words: string) => rows(page).filter({ hasText: words })
const topOf = async (page: Page, words: string) => (await row(page, words).boundingBox())?.y ?? Number.NaN

it('shows 10,000 entries: only some rows are rendered, visible rows stay in place, and changes from elsewhere appear', () =>
  inPage(
    async ({ page, faults, run, root, picture }) => {
      await row(page, 'Entry number 9999 ').waitFor()
      await page.getByText('10,000 entries', { exact: true }).waitFor()
      expect(await rows(page).count()).toBeLessThan(40)

      // To the end of the list, with the scroll bar.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await page.waitForTimeout(300)
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await row(page, 'Entry number 0 ').waitFor()
      expect(await rows(page).count()).toBeLessThan(40)

      // In the middle: a new entry above and a deleted one do not move the visible rows.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2))
      await page.waitForFunction(() => document.querySelectorAll('.entry.waiting').length === 0)
      await page.waitForTimeout(300)
      const words = (await rows(page).nth(7).innerText()).match(/Entry number \d+ /)?.[0] ?? ''
      const before = await topOf(page, words)
      run('remember', '--kind', 'decision', 'From the command line: one more on top.')
      await page.getByText('10,001 entries', { exact: true }).waitFor()
      expect(Math.abs((await topOf(page, words)) - before)).toBeLessThan(3)
      run('forget', 'From the command line: one more on top.')
      await page.getByText('10,000 entries', { exact: true }).waitFor()
      expect(Math.abs((await topOf(page, words)) - before)).toBeLessThan(3)

      // An editor changes a visible entry.
      const at = Number(words.match(/\d+/)?.[0])
      typeOver(root, `Entry number ${at} settles`, `Entry number ${at} was changed in an editor and settles`)
      await row(page, `Entry number ${at} was changed in an editor`).waitFor()

      // A change during an edit is reported; both versions are shown, and the user can keep their own.
      await row(page, `Entry number ${at} was changed`).focus()
      await page.keyboard.press('e')
      const editor = page.getByRole('form', { name: 'Edit' })
      await editor.getByLabel('Content').fill(`Entry number ${at} as I want it.`)
      typeOver(root, `Entry number ${at} was changed in an editor`, `Entry number ${at} was changed twice`)
      await editor.getByText('This entry changed while you were editing it.').waitFor()
      await editor.getByRole('button', { name: 'Compare' }).click()
      const both = page.getByRole('region', { name: 'Both versions' })
      await both.getByText('was changed twice').waitFor()
      await picture('vault-large-both')
      await both.getByRole('button', { name: 'Save mine' }).click()
      await page.getByText('Saved.').waitFor()
      await row(page, `Entry number ${at} as I want it.`).waitFor()

      // The text of an entry that is deleted during an edit is not lost.
      await row(page, `Entry number ${at} as I want it.`).focus()
      await page.keyboard.press('e')
      await editor.getByLabel('Content').fill(`Entry number ${at} must not be lost.`)
      const { hits } = JSON.parse(run('search', '--words', '--json', 'as I want it'))
      const mine = (hits as { id: string; entry: { content: string } }[]).find(({ entry }) =>
        entry.content.startsWith(`Entry number ${at} as I want it.`),
      )
      run('forget', mine?.id ?? '')
      await page.getByText('This entry was deleted while you were editing it.').waitFor()
      await page.getByRole('button', { name: 'Save my text as a new entry' }).click()
      await page.getByText('Entry saved.').waitFor()
      expect(run('search', `number ${at} must not be lost`)).toContain('must not be lost')

      // Select all, then clear the selection.
      await page.keyboard.press('Control+a')
      await page.getByText('10,000 selected').waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('10,000 selected').waitFor({ state: 'detached' })
      // The deleted entry is no longer found.
      expect(faults.filter(fault => !fault.includes('404'))).toEqual([])
    },
    {
      before: ({ run, home }: Pick<PageWorld, 'run' | 'home'>) => {
        run('import', writeLines(path.dirname(home), largeMemory(10_000, Date.now())))
      },
    },
  ))
