import type { Page } from 'playwright-core'

/** Reads the clipboard by pasting, because the page's policy blocks scripts from reading it. */
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
