import { statSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { believableMemory, writeLines } from './believable-memory.ts'
import { inPage } from './page-world.ts'

const PICTURE = fileURLToPath(new URL('../../docs/images/memory-vault.png', import.meta.url))

/** With CAIRN_PICTURES=1 the screenshot of the documentation is replaced; otherwise it is saved with the other screenshots. */
const isKept = process.env.CAIRN_PICTURES === '1'

it('takes the screenshot of the documentation: light theme, small, with a believable memory', () =>
  inPage(
    async ({ page, picture, faults }) => {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.getByRole('article').filter({ hasText: 'Stream order updates' }).waitFor()
      await page.locator('.entry code span').first().waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByRole('complementary', { name: 'Entry' }).getByText('Written by').waitFor()
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
      await page.waitForTimeout(300)
      if (isKept) await page.screenshot({ path: PICTURE })
      else await picture('vault-picture')
      expect(faults).toEqual([])
      expect(statSync(PICTURE).size).toBeLessThan(200_000)
    },
    {
      before: ({ run, home }) => {
        run('import', writeLines(path.dirname(home), believableMemory(Date.now())))
      },
    },
  ))
