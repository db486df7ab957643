import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { inPage } from './page-world.ts'

const remembering = ({ run }: { run(...words: string[]): string }) => {
  run('remember', 'We stream by SSE, not WebSockets.', '--tags', 'sse')
  run('remember', 'The importer retries three times.')
}

/** Tests the frame only. Each view has its own tests. */
const frameFaults = async (page: Page) =>
  (await accessibilityFaults(page)).filter(fault => !fault.includes('<main'))

it('opens every view by click, by keys and by address, and marks the current one', () =>
  inPage(
    async ({ page, faults, picture }) => {
      const nav = page.getByRole('navigation', { name: 'Views' })
      await nav.getByRole('link', { name: 'Memories' }).waitFor()
      expect(new URL(page.url()).hash).toBe('')
      await expect.poll(() => page.title()).toBe('Memories – project – Cairn')

      await nav.getByRole('link', { name: 'Graph' }).click()
      await expect.poll(() => page.title()).toBe('Graph – project – Cairn')
      expect(await nav.getByRole('link', { name: 'Graph' }).getAttribute('aria-current')).toBe('page')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')

      await page.keyboard.press('g')
      await page.keyboard.press('h')
      await expect.poll(() => page.title()).toBe('Health – project – Cairn')
      await page.keyboard.press('/')
      await expect.poll(() => page.title()).toBe('Memories – project – Cairn')

      await page.evaluate(() => {
        location.hash = '#/no-such-view'
      })
      await page.getByRole('heading', { name: 'View not found' }).waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByRole('link', { name: 'Go to Memories' }).click()
      await expect.poll(() => page.title()).toBe('Memories – project – Cairn')

      await page.goto(page.url().replace(/#.*/, '#/no-such-view'))
      await page.getByRole('heading', { name: 'View not found' }).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
      expect(faults).toEqual([])
      await picture('frame-not-found')
    },
    { before: remembering },
  ))

it('sends each first request once, before its own code has loaded', () =>
  inPage(
    async ({ page, url, faults }) => {
      let asked: string[] = []
      page.on('request', request => asked.push(request.url().replace(new URL(url).origin, '')))
      const opened = async (address: string) => {
        asked = []
        // The new address differs only in its fragment, which loads nothing.
        await page.goto('about:blank')
        await page.goto(address)
        await page.getByRole('navigation', { name: 'Views' }).waitFor()
        await page.waitForLoadState('load')
        await expect.poll(() => asked.filter(each => each.startsWith('/cairn.svg')).length).toBeGreaterThan(0)
        return asked.filter(each => each.startsWith('/api/')).sort()
      }
      expect(await opened(url)).toEqual([
        '/api/entries?category=decisions&offset=0&limit=60',
        '/api/live',
        '/api/vault',
      ])
      await page.getByText('We stream by SSE.').first().waitFor()
      // Another view does not request the entries.
      expect(await opened(new URL('#/no-such-view', url).href)).toEqual(['/api/live', '/api/vault'])
      expect(faults).toEqual([])
    },
    { before: ({ run }) => void run('remember', 'We stream by SSE.', '--kind', 'decision') },
  ))

it('is a menu on a small screen, and stores the theme and the language', () =>
  inPage(
    async ({ page, faults, picture }) => {
      await page.evaluate(() => {
        location.hash = '#/no-such-view'
      })
      const menu = page.getByRole('button', { name: 'Menu' })
      expect(await page.getByRole('navigation').isVisible()).toBe(false)
      await menu.click()
      await page.getByRole('link', { name: 'Timeline' }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      await page.getByLabel('Theme').selectOption('dark')
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('frame-320-dark')
      await page.getByLabel('Language').selectOption('pt')
      await page.getByRole('link', { name: 'Linha do tempo' }).waitFor()
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('pt')
      await page.reload()
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
      await page.getByRole('heading', { name: 'Tela não encontrada' }).waitFor()
      await expect.poll(() => page.title()).toBe('Tela não encontrada – project – Cairn')

      await page.emulateMedia({ colorScheme: 'light' })
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByLabel('Tema').selectOption('system')
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
      await page.setViewportSize({ width: 3840, height: 2160 })
      await picture('frame-4k')
      expect(faults).toEqual([])
    },
    { width: 320, height: 640, before: remembering },
  ))

it('runs commands by typing', () =>
  inPage(
    async ({ page, faults, picture, run }) => {
      await page.getByRole('link', { name: 'Memories' }).waitFor()
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox', { name: 'Type a command' })
      await field.waitFor()
      await page.keyboard.type('stream')
      const option = page.getByRole('option', { name: 'We stream by SSE, not WebSockets.' })
      await option.waitFor()
      expect(await option.getAttribute('aria-selected')).toBe('true')
      expect(await frameFaults(page)).toEqual([])
      await picture('palette')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.url()).toContain('#/vault?entry=')
      await page.getByRole('toolbar').getByRole('button', { name: 'Pin' }).click()
      await page.getByText('Pinned').first().waitFor()
      run('remember', 'Somebody else was here since.')

      await page.keyboard.press('Control+k')
      await field.waitFor()
      await page.keyboard.type('go to')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.title()).toBe('Chat – project – Cairn')

      await page.keyboard.press('Control+k')
      await field.waitFor()
      await page.keyboard.type('undo')
      await page.keyboard.press('Enter')
      await page.getByText('Undone.').waitFor()
      expect(run('list', '--status', 'pinned')).not.toContain('We stream by SSE')
      expect(run('list')).toContain('Somebody else was here since.')

      await page.keyboard.press('Control+k')
      await field.waitFor()
      await page.keyboard.type('new entry')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'New entry' }).waitFor()
      await page.keyboard.press('Escape')

      await page.keyboard.press('Control+k')
      await field.waitFor()
      await page.keyboard.type('zzzz')
      await page.getByText('No results.').waitFor()
      await page.keyboard.press('Escape')
      await field.waitFor({ state: 'detached' })

      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await page.getByText('go to Conflicts').waitFor()
      expect(await frameFaults(page)).toEqual([])
      await picture('keys')
      // Outside the dialog.
      await page.mouse.click(5, 5)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(faults).toEqual([])
    },
    { before: remembering },
  ))

it('is read-only without a token, and accepts one', () =>
  inPage(
    async ({ page, url, run, picture }) => {
      const token = /token=(\w+)/.exec(url)?.[1] ?? ''
      await page.evaluate(() => sessionStorage.clear())
      await page.goto(`${new URL(url).origin}/#/no-such-view`)
      await page.reload()
      await page.getByText('This page has no token').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])

      // An action that changes the memory opens the same dialog.
      await page.goto(`${new URL(url).origin}/#/health?tab=journal`)
      await page
        .getByRole('button', { name: /^Undo: add/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog', { name: 'Allow changes from this page' })
      await dialog.waitFor()
      expect(run('list')).toContain('The importer retries')
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('token')
      await dialog.getByLabel('Token').fill('nonsense')
      await page.keyboard.press('Enter')
      await dialog.getByText('This is not a token.').waitFor()
      await dialog.getByLabel('Token').fill('0'.repeat(64))
      await page.keyboard.press('Enter')
      await dialog.getByText('This token is not valid.').waitFor()
      await dialog.getByLabel('Token').fill(` ${token}\n`)
      await page.keyboard.press('Enter')
      await page.getByText('This page can now make changes.').waitFor()
      await dialog.waitFor({ state: 'detached' })
      expect(await page.getByText('This page has no token').isVisible()).toBe(false)
      await page.reload()
      expect(await page.getByText('This page has no token').isVisible()).toBe(false)
    },
    { before: remembering },
  ))

it('reconnects automatically when the server is killed and started again', () =>
  inPage(
    async ({ page, server, run, picture }) => {
      await page.getByText('Connected').waitFor()
      await page.evaluate(() => {
        location.hash = '#/chat'
      })
      await page.getByLabel('Message').fill('half a thought')
      await server.kill()
      await page.getByText('The server is not reachable. Retrying').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('server-lost')
      run('remember', 'Told while the server was away.', '--agent', 'dev')
      await server.start()
      await page.getByText('The server is not reachable').waitFor({ state: 'detached' })
      expect(await page.getByLabel('Message').inputValue()).toBe('half a thought')
      // Changes from the meantime appear: the agent has a memory now.
      await expect.poll(() => page.locator('#chat-agents option[value=dev]').count()).toBe(1)

      // A failure in a dialog is shown inside the dialog, where it can be dismissed.
      await page.getByRole('link', { name: 'Memories' }).click()
      await page.getByRole('button', { name: 'New entry' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Content').fill('Written while the server was away.')
      await server.kill()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('The server of this page does not respond').waitFor()
      await dialog.getByRole('button', { name: 'Dismiss' }).click()
      await server.start()
      await page.getByText('The server is not reachable').waitFor({ state: 'detached' })
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('Entry saved.', { exact: true }).waitFor()
    },
    { before: remembering },
  ))

it('shows changes from other tabs and from a terminal', () =>
  inPage(
    async ({ page, url, run }) => {
      await page.getByText('Connected').waitFor()
      const other = await page.context().newPage()
      await other.goto(url)
      await other.getByText('Connected').waitFor()
      for (const each of [page, other])
        await each.evaluate(() => {
          location.hash = '#/chat'
        })
      run('remember', 'A new agent speaks.', '--agent', 'nova')
      for (const each of [page, other])
        await expect.poll(() => each.locator('#chat-agents option[value=nova]').count()).toBe(1)
    },
    { before: remembering },
  ))

it('stays usable when a view fails', () =>
  inPage(
    async ({ page }) => {
      await page.getByRole('link', { name: 'Graph' }).waitFor()
      // As after a server update while the page is open: the chunk of the view no longer exists.
      await page.route(/\/assets\/graph-/, route => route.abort())
      await page.getByRole('link', { name: 'Graph' }).click()
      await page.getByRole('heading', { name: 'This view failed' }).waitFor()
      await page.getByRole('button', { name: 'Reload the page' }).waitFor()
      expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(false)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByRole('link', { name: 'Health' }).click()
      await expect.poll(() => page.title()).toBe('Health – project – Cairn')
      expect(await page.getByRole('heading', { name: 'This view failed' }).isVisible()).toBe(false)
    },
    { before: remembering },
  ))
