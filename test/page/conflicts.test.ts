import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

/** A browser and a dozen runs of the command line are slow on a busy machine. */
const PATIENCE_MS = 180_000

const FIRST = 'The gateway port is 8080.'
const SECOND = 'The gateway port is 9090.'

function disagree({ run }: Pick<PageWorld, 'run'>): void {
  run('remember', FIRST, '--kind', 'decision')
  run('remember', SECOND, '--kind', 'decision')
}

const open = ({ run }: Pick<PageWorld, 'run'>) => JSON.parse(run('conflicts', '--json')).conflicts.length
const contents = ({ run }: Pick<PageWorld, 'run'>) =>
  JSON.parse(run('list', '--json'))
    .entries.map(({ content }: { content: string }) => content)
    .sort()

it(
  'shows two entries side by side, previews a decision, applies it, and undoes it',
  () =>
    inPage(
      async world => {
        const { page, url, faults, picture, run } = world
        await page.goto(`${url.split('#')[0]}#/conflicts`)
        const pair = page.getByRole('article', { name: 'Pair 1 of 1' })
        await pair
          .getByText('They state different values of the same thing: 8080 (older), 9090 (newer).')
          .waitFor()
        expect(await pair.getByText('different values', { exact: true }).isVisible()).toBe(true)
        expect((await pair.locator('mark').allTextContents()).join(' ')).toContain('9090')
        await pair.getByRole('button', { name: 'The newer one replaces the older' }).click()
        await pair.getByText('From now on only the newer entry is injected.').waitFor()
        expect(open(world)).toBe(1)
        await picture('conflicts')
        for (const theme of ['light', 'dark']) {
          await page.evaluate(name => document.documentElement.setAttribute('data-theme', name), theme)
          expect(await accessibilityFaults(page)).toEqual([])
        }
        await picture('conflicts-dark')
        await page.setViewportSize({ width: 3840, height: 2160 })
        await picture('conflicts-4k')
        await page.setViewportSize({ width: 1280, height: 800 })

        await pair.getByRole('button', { name: 'Confirm' }).click()
        await page.getByText('No open conflicts.').waitFor()
        expect(open(world)).toBe(0)

        await page.getByRole('tab', { name: 'Decided' }).click()
        await page.getByText('The newer one replaced the older, by').waitFor()
        await page.getByRole('button', { name: 'Reopen' }).click()
        await page.getByText('No decisions yet.').waitFor()
        expect(open(world)).toBe(1)

        await page.getByRole('tab', { name: 'Open', exact: true }).click()
        await pair.getByRole('button', { name: 'Delete the older' }).click()
        await pair.getByText('Only the newer entry stays.').waitFor()
        expect(contents(world)).toEqual([FIRST, SECOND])
        await pair.getByRole('button', { name: 'Confirm' }).click()
        await page.getByText('Decision saved.').last().waitFor()
        await page.getByText('No open conflicts.').waitFor()
        expect(contents(world)).toEqual([SECOND])
        await page.getByRole('button', { name: 'Undo' }).last().click()
        await pair.waitFor()
        expect(contents(world)).toEqual([FIRST, SECOND])

        for (const choice of ['The older one is right', 'Keep both', 'Not a conflict']) {
          await pair.getByRole('button', { name: choice }).click()
          await pair.getByRole('button', { name: 'Confirm' }).click()
          await page.getByText('No open conflicts.').waitFor()
          expect(open(world)).toBe(0)
          // An undo from elsewhere appears automatically.
          run('undo')
          await pair.waitFor()
        }
        expect(faults).toEqual([])
      },
      { before: disagree },
    ),
  PATIENCE_MS,
)

it(
  'edits one entry of the pair on a small screen, and shows both versions after a concurrent change',
  () =>
    inPage(
      async world => {
        const { page, url, faults, picture, run } = world
        await page.goto(`${url.split('#')[0]}#/conflicts`)
        const edit = page.getByRole('button', { name: 'Edit this one' }).first()
        await edit.click()
        const field = page.getByRole('textbox', { name: 'New text' })
        await field.press('Escape')
        await edit.click()
        await field.fill('The gateway port of the old shop is 8080.')
        const { older } = JSON.parse(run('conflicts', '--json')).conflicts[0]
        run('edit', older.id, '--content', 'The gateway port is 8080, everywhere.')
        await field.press('Enter')
        await page.getByText('This entry changed while you were editing it.').waitFor()
        expect(await page.locator('ins').allTextContents()).toContain('of the old shop ')
        expect(await accessibilityFaults(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
        await picture('conflicts-320')
        await page.getByRole('button', { name: 'Overwrite with mine' }).click()
        await page.getByText('Saved. The two entries are compared again.').waitFor()
        expect(contents(world)).toEqual([SECOND, 'The gateway port of the old shop is 8080.'].sort())
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Undone.', { exact: true }).waitFor()
        expect(contents(world)).toEqual([SECOND, 'The gateway port is 8080, everywhere.'].sort())
        // The browser logs the status of the refused edit.
        expect(faults.filter(fault => !fault.includes('409'))).toEqual([])
      },
      { width: 320, height: 640, before: disagree },
    ),
  PATIENCE_MS,
)
