import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

/** Views with tabs, and the names of the tabs. */
const PARTS = {
  brief: ['Preview', 'Sent'],
  review: ['Proposed', 'Stale'],
  conflicts: ['Open', 'Decided'],
  graph: ['Drawing', 'List'],
  state: ['Current state', 'Checkpoints', 'Workspaces', 'Hot memory'],
  health: ['Overview', 'Upkeep and archive', 'Journal'],
} as const

const chosenTab = (page: Page) =>
  page.evaluate(() => {
    const tab = document.querySelector('[role=tab][aria-selected=true]')
    const panel = document.querySelector('[role=tabpanel]')
    return {
      name: tab?.textContent,
      hasFocus: tab === document.activeElement,
      namesPanel: panel?.getAttribute('aria-labelledby') === tab?.id,
      stops: document.querySelectorAll('[role=tab][tabindex="0"]').length,
    }
  })

/** The properties of every tab bar. */
const look = (page: Page) =>
  page.evaluate(() => {
    const style = getComputedStyle(document.querySelector('[role=tab][aria-selected=true]') as Element)
    return [style.borderBottomWidth, style.borderBottomColor, style.backgroundColor, style.paddingInline]
  })

async function throughEveryView({ page, url }: PageWorld, eachView: (view: string) => Promise<void>) {
  for (const [view, names] of Object.entries(PARTS)) {
    await page.goto(`${url.split('#')[0]}#/${view}`)
    await page.getByRole('tab', { name: names[0], exact: true }).waitFor()
    expect(await page.getByRole('tab').allTextContents()).toEqual([...names])
    await eachView(view)
  }
}

it('uses the same tabs in all views, with arrow keys', () =>
  inPage(
    async world => {
      const { page, picture, faults } = world
      const looks = new Set<string>()
      await throughEveryView(world, async view => {
        const [first, second, ...others] = PARTS[view as keyof typeof PARTS]
        const last = others.at(-1) ?? second
        looks.add(JSON.stringify(await look(page)))
        const at = (name: string) => ({ name, hasFocus: true, namesPanel: true, stops: 1 })
        await page.getByRole('tab', { name: first, exact: true }).focus()
        await page.keyboard.press('ArrowRight')
        await expect.poll(() => chosenTab(page)).toEqual(at(second))
        await page.keyboard.press('End')
        await expect.poll(() => chosenTab(page)).toEqual(at(last))
        await page.keyboard.press('ArrowRight')
        await expect.poll(() => chosenTab(page)).toEqual(at(first))
        await picture(`tabs-${view}-1280`)
      })
      expect([...looks]).toHaveLength(1)

      await page.getByRole('tab', { name: 'Journal' }).click()
      expect(page.url()).toContain('#/health?tab=journal')
      await page.goBack()
      await expect.poll(async () => (await chosenTab(page)).name).toBe('Overview')
      expect(faults).toEqual([])
    },
    { before: ({ run }) => void run('remember', 'Redis holds the sessions.') },
  ))

it('shows the tabs on a small screen, in both themes', () =>
  inPage(
    async world => {
      const { page, picture } = world
      await throughEveryView(world, async view => {
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await picture(`tabs-${view}-320-${colorScheme}`)
        }
      })
      expect(await accessibilityFaults(page)).toEqual([])
    },
    {
      width: 320,
      height: 640,
      before: ({ run }) => void run('remember', 'Redis holds the sessions.'),
    },
  ))
