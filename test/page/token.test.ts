import { expect, it } from 'vitest'
import { inPage } from './page-world.ts'

it('hears of changes where reading needs the token, which stands in no address that is asked', () =>
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
