import { expect, it } from 'vitest'
import { inPage } from './page-world.ts'

it('receives changes where reading needs the token, which is in no requested address', () =>
  inPage(
    async ({ page, run, url, faults }) => {
      const token = new URL(url).hash.replace('#token=', '')
      const asked: string[] = []
      page.on('request', request => asked.push(request.url()))
      await page.reload()
      await page.getByText('We stream by SSE.').first().waitFor()
      run('remember', 'The importer retries three times.', '--kind', 'decision')
      await page.getByText('The importer retries three times.').first().waitFor()
      expect(asked.some(each => each.endsWith('/api/live'))).toBe(true)
      expect(asked.filter(each => each.includes(token))).toEqual([])
      expect(faults).toEqual([])
    },
    {
      flags: ['--require-token'],
      before: ({ run }) => void run('remember', 'We stream by SSE.', '--kind', 'decision'),
    },
  ))

it('reads the token from the address of an open tab, and removes it from the history', () =>
  inPage(
    async ({ page, url, faults }) => {
      const { origin, hash } = new URL(url)
      const tab = await page.context().newPage()
      await tab.goto(origin)
      const enter = tab.getByRole('button', { name: 'Enter token' })
      await enter.waitFor()
      await tab.goto(url)
      await enter.waitFor({ state: 'detached' })
      expect(tab.url()).toBe(`${origin}/`)
      await tab.getByText('We stream by SSE.').first().waitFor()
      await tab.goBack()
      expect(tab.url()).not.toContain(hash)
      expect(faults).toEqual([])
    },
    { before: ({ run }) => void run('remember', 'We stream by SSE.', '--kind', 'decision') },
  ))
