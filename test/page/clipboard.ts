import type { Page } from 'playwright-core'

/** What was copied, by pasting it: the page's own policy lets no script read the clipboard. */
export async function pasted(page: Page): Promise<string> {
  await page.evaluate(() => {
    const field = document.createElement('textarea')
    field.id = 'pasted'
    document.body.append(field)
    field.focus()
  })
  await page.keyboard.press('Control+V')
  return page.evaluate(() => {
    const field = document.getElementById('pasted') as HTMLTextAreaElement
    field.remove()
    return field.value
  })
}
