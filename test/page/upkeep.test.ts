import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { inPage } from './page-world.ts'

it('runs upkeep while the page is open, once for all tabs, and shows the result', () =>
  inPage(
    async ({ page, url, faults, picture }) => {
      const runs: string[] = []
      const count = (request: { method(): string; url(): string; postData(): string | null }) => {
        if (
          request.method() === 'POST' &&
          request.url().endsWith('/api/compact') &&
          request.postData() === '{}'
        )
          runs.push(request.url())
      }
      page.context().on('request', count)
      await page.goto(`${new URL(url).origin}/#/no-such-view`)
      const other = await page.context().newPage()
      await other.goto(`${url.replace(/#.*/, '')}#token=${/token=(\w+)/.exec(url)?.[1]}`)
      // Both tabs check at start. The first one runs upkeep, the other finds it done.
      await expect.poll(() => runs.length, { timeout: 15_000 }).toBe(1)
      await page.waitForTimeout(2_500)
      expect(runs).toHaveLength(1)
      await other.close()

      await page.getByRole('button', { name: 'Upkeep' }).click()
      const dialog = page.getByRole('dialog', { name: 'Upkeep' })
      await dialog.getByRole('button', { name: 'Run now' }).click()
      await dialog.getByText('manual').waitFor()
      await dialog.getByText('Nothing to do.').first().waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('upkeep')
      expect(runs).toHaveLength(2)
      await page.reload()
      await page.getByRole('button', { name: 'Upkeep' }).click()
      await dialog.getByText('manual').waitFor()
      expect(faults).toEqual([])
    },
    { before: ({ run }) => void run('remember', 'We stream by SSE, not WebSockets.') },
  ))
