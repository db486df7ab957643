import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { compact } from '../../src/features/upkeep/upkeep.ts'
import { captured, furnishAged, openAt } from '../support/aged-vault.ts'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

const go = (page: Page, place: string) =>
  page.evaluate(to => {
    location.hash = to
  }, place)

function haveHistory({ run }: Pick<PageWorld, 'run'>): void {
  run('remember', 'We stream by SSE, not WebSockets.')
  run('remember', 'Sessions live in Redis.')
  run('brief', '--prompt', 'how do we stream?', '--session', 'one')
  run('forget', 'Sessions live in Redis.')
}

it('shows the health of the memory in figures and charts, live, and undoes a change of the journal', () =>
  inPage(
    async ({ page, run, faults, picture }) => {
      await go(page, '#/health')
      await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
      const growth = page.getByRole('slider', { name: /^Entries over time/ })
      await growth.waitFor()
      // By keyboard: one day at a time with its value; and as a table.
      await growth.focus()
      expect(await growth.getAttribute('aria-valuetext')).toMatch(/: Entries 1$/)
      await page.keyboard.press('ArrowLeft')
      expect(await growth.getAttribute('aria-valuetext')).toMatch(/: Entries 0$/)
      const figure = page.getByRole('figure').filter({ hasText: 'Added and removed per day' })
      await figure.getByText('As a table').click()
      await figure.getByRole('row').last().getByRole('cell', { name: '2' }).waitFor()
      await figure.getByRole('row').last().getByRole('cell', { name: '1' }).waitFor()
      await figure.getByText('As a table').click()
      await page.getByRole('rowheader', { name: 'Retrieval' }).waitFor()
      await page.getByText('No failed hooks.').waitFor()
      await page.getByRole('meter').first().waitFor()
      await picture('health')
      expect(await accessibilityFaults(page)).toEqual([])
      // The figures follow a change from elsewhere.
      run('remember', 'Deploys are on Tuesdays.')
      await growth.press('End')
      await page.waitForFunction(() =>
        document.querySelector('[role=slider]')?.getAttribute('aria-valuetext')?.endsWith(': Entries 2'),
      )
      // The journal: any record can be undone, and the undo too.
      await page.getByRole('tab', { name: 'Journal' }).click()
      const removal = page
        .getByRole('listitem')
        .filter({ hasText: 'removed Sessions live in Redis.' })
        .first()
      await removal.getByRole('button', { name: /^Undo: remove/ }).click()
      await page.getByText('Undone.').waitFor()
      await removal.getByText('undone', { exact: true }).waitFor()
      expect(run('list', '--json')).toContain('Sessions live in Redis.')
      await picture('health-journal')
      expect(await accessibilityFaults(page)).toEqual([])
      await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
      await go(page, '#/health')
      await growth.waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('health-dark')
      expect(faults).toEqual([])
    },
    { before: haveHistory },
  ))

it('changes the settings, each with Undo', () =>
  inPage(
    async ({ page, run, faults, picture }) => {
      const settingOf = (key: string) =>
        (JSON.parse(run('config', 'get', key, '--json')) as { setting: { value: unknown } }).setting.value
      const takeBack = async (key: string, before: unknown) => {
        await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
        await expect.poll(() => settingOf(key), { timeout: 10_000 }).toBe(before)
      }
      await go(page, '#/health')
      const auto = page.getByLabel('Save from closed sessions')
      await auto.selectOption('off')
      await page.getByText('Only text marked #remember is saved from closed sessions.').waitFor()
      expect(settingOf('memory.auto')).toBe(false)
      await takeBack('memory.auto', true)
      await page.getByLabel('Evidence required for a suggestion').selectOption('conservative')
      await page.getByText('Evidence required for a suggestion: high (conservative).').waitFor()
      expect(settingOf('promotion.preset')).toBe('conservative')
      await takeBack('promotion.preset', 'balanced')
      const budget = page.getByLabel('Maximum tokens per brief')
      await budget.fill('2000')
      await budget.press('Enter')
      await page.getByText('A brief now has at most 2000 tokens.').waitFor()
      expect(settingOf('brief.maxTokens')).toBe(2000)
      await picture('health-settings')
      expect(await accessibilityFaults(page)).toEqual([])
      await takeBack('brief.maxTokens', 5000)
      // An invalid value is reported, and nothing changes.
      await budget.fill('many')
      await budget.press('Enter')
      await page.getByText('brief.maxTokens', { exact: true }).waitFor()
      expect(settingOf('brief.maxTokens')).toBe(5000)
      expect(faults.filter(fault => !fault.includes('400'))).toEqual([])
    },
    { before: haveHistory },
  ))

it('restores archived entries, and fits a phone', () =>
  inPage(
    async ({ page, run, faults, picture }) => {
      await go(page, '#/health?tab=upkeep')
      await page.getByText('expired').first().waitFor()
      await page.getByRole('heading', { name: 'Archive' }).waitFor()
      const entry = page.getByRole('listitem').filter({ hasText: 'An old guess about caches.' })
      await picture('health-320')
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByLabel('Search the archive').fill('zebra')
      await page.getByText('No archived items match.').waitFor()
      await page.getByLabel('Search the archive').fill('caches')
      await entry.getByRole('button', { name: 'Restore', exact: true }).click()
      await page.getByText('1 entry restored.').waitFor()
      await page.getByLabel('Search the archive').fill('')
      await entry.getByRole('link', { name: 'restored' }).waitFor()
      expect(run('list', '--json')).toContain('An old guess about caches.')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone.').waitFor()
      await go(page, '#/health')
      await page.getByRole('figure').first().waitFor()
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('health-320-overview')
      expect(faults).toEqual([])
    },
    {
      width: 320,
      height: 640,
      before: async ({ root }) => {
        await furnishAged(root, [captured('An old guess about caches.', 60)])
        const engine = openAt(root)
        await compact(engine)
        await engine.close()
      },
    },
  ))
