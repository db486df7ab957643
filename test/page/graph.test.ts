import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openMemory } from '../../src/api.ts'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

const WORDS = [
  'Sessions live in Redis',
  'Redis replaces Memcached for the session store.',
  'Deploys depend on Redis: see [[Sessions live in Redis]] and src/session-store.ts.',
  'Ask @ana before changing src/session-store.ts.',
  'Run `npm run migrate` before every deploy of the billing service.',
  'An old note about [[something nobody kept]].',
]

function remember({ run }: Pick<PageWorld, 'run'>): void {
  for (const text of WORDS) run('remember', text, '--kind', 'decision')
  run('remember', 'A hostile <img src=x onerror=alert(1)> label about Redis.', '--agent', 'dev')
}

const toGraph = (page: Page, query = '') =>
  page.evaluate(place => {
    location.hash = place
  }, `#/graph${query}`)

const setDark = (page: Page) =>
  page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))

it('draws the connections of entries, finds a node, shows its connections, and lists the same content', () =>
  inPage(
    async ({ page, faults, picture }) => {
      await toGraph(page)
      await page.getByRole('heading', { name: 'Graph', level: 1 }).waitFor()
      await page.getByText(/of \d+ entries/).waitFor()
      await page.getByText(/\d+ broken/).waitFor()
      // By search: matching nodes are listed, and Enter selects the best.
      await page.getByLabel('Find a node').fill('redis')
      await page.getByRole('button', { name: 'Redis replaces Memcached' }).waitFor()
      await page.getByLabel('Find a node').press('Enter')
      const details = page.getByRole('complementary', { name: 'Redis', exact: true })
      await details.getByText('replaces', { exact: true }).waitFor()
      await details.getByRole('list', { name: 'Evidence' }).getByText('Redis replaces Memcached').waitFor()
      await page.getByLabel('Find a node').fill('')
      await picture('graph-entity')
      // From the entity to an entry, with its text, links and backlinks.
      await details.getByRole('button', { name: 'Sessions live in Redis' }).first().click()
      const entry = page.getByRole('complementary', { name: /^Sessions live in Redis/ })
      await entry.getByRole('heading', { name: /Linked from/ }).waitFor()
      await entry
        .getByRole('button', { name: /^Deploys depend on Redis/ })
        .first()
        .waitFor()
      expect(await entry.getByRole('link', { name: 'Open in Memories' }).getAttribute('href')).toMatch(
        /^#\/vault\?entry=/,
      )
      expect(await accessibilityFaults(page)).toEqual([])
      await setDark(page)
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('graph-dark')
      // By keyboard: an arrow selects a neighbour, Escape clears the selection.
      await page.getByRole('application', { name: 'Drawing of the graph' }).focus()
      await page.keyboard.press('Escape')
      await entry.waitFor({ state: 'detached' })
      await page.keyboard.press('ArrowRight')
      await page.getByRole('complementary').waitFor()
      await page.keyboard.press('+')
      await page.keyboard.press('0')
      // As a list, without the entities.
      await page.getByRole('tab', { name: 'List' }).click()
      await page
        .getByRole('table', { name: /^Nodes/ })
        .getByText('Memcached', { exact: true })
        .waitFor()
      await page
        .getByRole('table', { name: /^Edges/ })
        .getByText('links to')
        .waitFor()
      await page.getByLabel('Services').uncheck()
      await page.getByText(/nodes are hidden/).waitFor()
      expect(
        await page
          .getByRole('table', { name: /^Nodes/ })
          .getByText('Memcached', { exact: true })
          .count(),
      ).toBe(0)
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('graph-list')
      expect(faults).toEqual([])
    },
    { before: remember },
  ))

it('centers on one node, reports an unknown entity, and fits a phone', () =>
  inPage(
    async ({ page, faults, picture }) => {
      await toGraph(page, '?entity=memcached&depth=1')
      await page.getByText('1 of 7 entries').waitFor()
      await page.getByLabel('Steps').selectOption('2')
      await page.getByText(/[2-9] of 7 entries/).waitFor()
      expect(new URL(page.url()).hash).toBe('#/graph?entity=memcached&depth=2')
      await picture('graph-320')
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
      expect(await accessibilityFaults(page)).toEqual([])
      expect(faults).toEqual([])
      await page.getByLabel('Center on').fill('kubernetes')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByRole('alert').getByText('No entry mentions an entity "kubernetes".').waitFor()
      await page.getByRole('button', { name: 'Whole graph' }).click()
      await page.getByText(/7 of 7 entries/).waitFor()
    },
    { width: 320, height: 640, before: remember },
  ))

it('shows 2,000 nodes without blocking the page', () =>
  inPage(
    async ({ page, faults, picture }) => {
      await toGraph(page)
      await page.getByLabel('Maximum nodes').selectOption('1000')
      await page.getByText(/^1000 of 1100 entries/).waitFor()
      // The page responds during the layout.
      await page.getByLabel('Find a node').fill('service 42')
      await page
        .getByRole('button', { name: /service 42/i })
        .first()
        .waitFor()
      await page.getByLabel('Find a node').fill('')
      await page.getByText('Calculating the layout …').waitFor({ state: 'detached', timeout: 90_000 })
      await page.setViewportSize({ width: 3840, height: 2160 })
      await picture('graph-2000')
      expect(faults).toEqual([])
    },
    {
      before: async ({ root }) => {
        const memory = await openMemory({ root, vectors: 'never', upkeep: 'never' })
        await memory.importEntries(
          Array.from({ length: 1_100 }, (_, n) => ({
            content: `Decision ${n} about service ${n % 90} stands in src/part-${n % 400}/file-${n}.ts and src/part-${n % 7}/main.ts.`,
          })),
        )
        await memory.close()
      },
    },
  ))
