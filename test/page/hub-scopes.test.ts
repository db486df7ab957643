import { mkdirSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RouteName } from '../../src/surfaces/http/paths.generated.ts'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'
import { accessibilityFaults } from './accessible.ts'
import { openBrowser } from './page-world.ts'

const ARTEFACTS = fileURLToPath(new URL('../artefacts/page/', import.meta.url))
const SMOKE = 'We always run the smoke tests before a deploy.'
let world: HubWorld
let browser: Browser
let writer: string

/** A proposal, a pair that disagrees, a task that failed, and a journal. */
beforeAll(async () => {
  mkdirSync(ARTEFACTS, { recursive: true })
  world = await hubWorld({ projects: ['shop'] })
  writer = await world.token('write', 'shop', { name: 'will', kind: 'user' })
  const tell = async (name: RouteName, fields: Record<string, unknown>) => {
    const { status, body } = await world.ask(name, { project: 'shop', token: writer, fields })
    expect([name, status, body]).toEqual([name, 200, body])
    return body
  }
  await tell('remember', { content: 'The gateway port is 8080.', kind: 'decision' })
  await tell('remember', { content: 'The gateway port is 9090.', kind: 'decision' })
  await tell('sessionAppend', {
    session: 's1',
    agent: 'dev',
    messages: [{ role: 'user', text: SMOKE }],
  })
  await tell('sessionClose', { session: 's1' })
  expect((await tell('conflicts', {})).conflicts).toHaveLength(1)
  await tell('workAdd', { graph: 'release', tasks: [{ name: 'port', title: 'Port it', attempts: 1 }] })
  browser = await openBrowser()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await world?.end()
}, 60_000)

async function inProject(token: string, work: (page: Page, refused: string[]) => Promise<void>) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en' })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const faults: string[] = []
    const refused: string[] = []
    page.on('pageerror', error => faults.push(error.message))
    page.on('response', response => {
      if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`)
    })
    await page.goto(`${world.address}/p/shop/`)
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Signed in as').waitFor()
    await work(page, refused)
    expect(faults).toEqual([])
  } finally {
    await context.close()
  }
}

const picture = (page: Page, name: string) =>
  page.screenshot({ path: path.join(ARTEFACTS, `${name}.png`), fullPage: true })

const VIEWS: readonly (readonly [view: string, shows: string, controls: readonly string[]])[] = [
  ['review', SMOKE, ['Accept', 'Edit', 'Reject']],
  ['conflicts', 'Pair 1 of 1', ['Remove the older', 'Keep both']],
  ['state', 'Recall', ['Show what would change']],
  ['work?task=release.port', 'Port it', ['Cancel task']],
  ['health?tab=journal', 'The gateway port is 8080.', ['Undo']],
]

it('shows a reader every view with its controls off and says why; nothing that they see is refused', async () => {
  const reader = await world.token('read', 'shop', { name: 'rita', kind: 'user' })
  await inProject(reader, async (page, refused) => {
    for (const [view, shows, controls] of VIEWS) {
      await page.goto(`${world.address}/p/shop/#/${view}`)
      await page.getByText(shows).first().waitFor()
      await page.getByText('Changing it needs a token with the scope').first().waitFor()
      for (const name of controls) {
        const control = page.getByRole('main').getByRole('button', { name }).first()
        expect([view, name, await control.isDisabled()]).toEqual([view, name, true])
        expect(await control.getAttribute('title')).toBe('Needs a token with the scope write')
      }
      expect(await accessibilityFaults(page)).toEqual([])
      await picture(page, `hub-reader-${view.split('?')[0]}`)
    }
    await page.goto(`${world.address}/p/shop/#/review`)
    await page.getByText(SMOKE).first().waitFor()
    expect(await page.getByRole('main').getByRole('checkbox').count()).toBe(0)
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await page.goto(`${world.address}/p/shop/#/health`)
    await page.getByText('is for whoever administers it').waitFor()
    expect(await page.getByLabel('Closed sessions become memory').isDisabled()).toBe(true)
    await picture(page, 'hub-reader-health')
    expect(refused).toEqual([])
  })
}, 120_000)

it('offers nothing that is not on a hub, and each by what one may', async () => {
  const offered = async (token: string) => {
    let names: string[] = []
    await inProject(token, async page => {
      await page.getByRole('button', { name: 'Commands' }).click()
      names = await page.getByRole('option').allTextContents()
      await page.keyboard.press('Escape')
      await page.goto(`${world.address}/p/shop/#/state`)
      await page.getByRole('heading', { name: 'State' }).waitFor()
      expect(await page.getByRole('tab').allTextContents()).toEqual(['Where it stands', 'Checkpoints'])
      await page.goto(`${world.address}/p/shop/#/chat`)
      await page.getByRole('heading', { name: 'There is no such view' }).waitFor()
    })
    return names
  }
  const reader = await offered(await world.token('read', 'shop', { name: 'rita' }))
  const writing = await offered(writer)
  const admin = await offered(world.admin)
  expect(writing.filter(name => !reader.includes(name))).toEqual([])
  expect(admin.filter(name => !writing.includes(name))).toEqual([])
  expect(reader.filter(name => /chat|import|freshness|token/i.test(name))).toEqual([])
}, 120_000)

it('gives a writer the controls of a writer, and not those of an administrator', () =>
  inProject(writer, async page => {
    await page.goto(`${world.address}/p/shop/#/review`)
    const accept = page.getByRole('button', { name: 'Accept', exact: true }).first()
    await accept.click()
    await page.getByText('1 of 1 judged').waitFor()
    expect(await page.getByText('needs a token with the scope').count()).toBe(0)
    await page.goto(`${world.address}/p/shop/#/health`)
    await page.getByText('is for whoever administers it').waitFor()
    expect(await page.getByRole('button', { name: 'Upkeep' }).count()).toBe(0)
  }))
