import { mkdirSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

/** A browser and a dozen runs of the command line are slow on a busy machine. */
const PATIENCE_MS = 180_000

const QUEUE = 'We put a queue between checkout and billing, because billing was down twice.'
const REFUSED =
  'connect ECONNREFUSED 127.0.0.1:5432 in CI. The database was not up yet. Fixed by waiting with pg_isready.'

/** Two other projects next to the one of the page, and one that is not readable. */
function furnish({ root, run }: Pick<PageWorld, 'root' | 'run'>): void {
  const in_ = (name: string, ...words: string[]) => {
    const folder = path.join(path.dirname(root), name)
    mkdirSync(folder, { recursive: true })
    return run('--root', folder, ...words)
  }
  run('remember', QUEUE, '--kind', 'decision')
  in_('shop', 'remember', QUEUE, '--kind', 'decision', '--files', 'src/billing.ts', '--session', 's-7')
  in_('shop', 'remember', 'Redis replaces RabbitMQ for the billing queue. <b>Bold</b>', '--kind', 'decision')
  in_('bank', 'remember', REFUSED, '--kind', 'lesson')
  in_('secret', 'remember', 'The queue of the merger is called Falcon.')
  in_('secret', 'config', 'set', 'across.visible', 'false')
}

it(
  'searches all projects, shows the project of each result, and filters by project',
  () =>
    inPage(
      async ({ page, url, faults, picture }) => {
        await page.goto(url)
        await page.goto(`${url.split('#')[0]}#/everywhere`)
        await page.getByRole('heading', { level: 1, name: 'Everywhere' }).waitFor()
        await page.getByLabel('Words or a question').fill('billing queue')
        await page.getByRole('button', { name: 'Search all projects' }).click()
        const hits = page.getByRole('list', { name: 'Results' }).locator('> li')
        await page.getByText('3 projects were searched.').waitFor()
        await page.getByText('1 project was skipped').waitFor()
        expect(await hits.count()).toBe(2)
        const both = hits.filter({ hasText: 'We put a' })
        expect(await both.getByRole('list', { name: 'Found in' }).getByRole('listitem').count()).toBe(2)
        await both.getByText('project · this project').waitFor()
        await both.getByText('src/billing.ts').waitFor()
        // The content of an entry is only text.
        await page.getByText('<b>Bold</b>').waitFor()
        expect(await page.getByText('Falcon').count()).toBe(0)
        expect(await accessibilityFaults(page)).toEqual([])
        await picture('everywhere')
        await page.getByLabel('Project').selectOption({ label: 'shop (2)' })
        expect(await hits.count()).toBe(2)
        await page.getByLabel('Project').selectOption({ label: 'project (1)' })
        expect(await hits.count()).toBe(1)
        await both.getByRole('link').first().click()
        await page.waitForURL(/#\/vault\?entry=/)
        expect(faults).toEqual([])
      },
      { before: furnish },
    ),
  PATIENCE_MS,
)

it(
  'finds similar problems, and the projects in which an entity occurs',
  () =>
    inPage(
      async ({ page, url, faults, picture }) => {
        await page.goto(url)
        await page.goto(`${url.split('#')[0]}#/everywhere?way=met`)
        await page
          .getByLabel('An error message')
          .fill('Error: connect ECONNREFUSED 10.1.2.3:5432\n    at TCPConnectWrap (node:net:1595:16)')
        await page.getByRole('button', { name: 'Search all projects' }).click()
        await page.getByText('What helped: Fixed by waiting with pg_isready.').waitFor()
        expect(await accessibilityFaults(page)).toEqual([])
        await picture('everywhere-met')
        await page.getByRole('tab', { name: 'Entity' }).click()
        await page.getByLabel('A package, service').fill('redis')
        await page.getByRole('button', { name: 'Search all projects' }).click()
        await page.getByRole('heading', { name: 'redis' }).waitFor()
        await page.getByText('redis replaces rabbitmq (in 1 project)').waitFor()
        expect(await accessibilityFaults(page)).toEqual([])
        await picture('everywhere-entity')
        await page.setViewportSize({ width: 320, height: 640 })
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow).toBe(0)
        await picture('everywhere-320')
        expect(faults).toEqual([])
      },
      { before: furnish },
    ),
  PATIENCE_MS,
)

it(
  'shows Portuguese texts',
  () =>
    inPage(
      async ({ page, url, faults, picture }) => {
        await page.evaluate(() => localStorage.setItem('cairn-language', 'pt'))
        await page.goto(`${url.split('#')[0]}#/everywhere?way=search&q=billing`)
        await page.reload()
        await page.getByRole('heading', { level: 1, name: 'Em toda parte' }).waitFor()
        await page.getByText('3 projetos foram pesquisados.').waitFor()
        await page.getByText('este projeto').waitFor()
        await picture('everywhere-pt')
        expect(faults).toEqual([])
      },
      { before: furnish },
    ),
  PATIENCE_MS,
)
