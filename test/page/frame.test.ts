import { expect, it } from 'vitest'
import { inPage } from './page-world.ts'

it('shows what is remembered, and hides the token from the address', () =>
  inPage(
    async ({ page, faults, picture }) => {
      await page.getByText('We stream by SSE').first().waitFor()
      expect(new URL(page.url()).hash).toBe('')
      expect(faults).toEqual([])
      await picture('frame')
    },
    { before: ({ run }) => void run('remember', 'We stream by SSE, not WebSockets.') },
  ))
