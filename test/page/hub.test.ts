import { mkdirSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HubWorld, hubWorld } from '../support/hub-world.ts'
import { accessibilityFaults } from './accessible.ts'
import { openBrowser } from './page-world.ts'

const ARTEFACTS = fileURLToPath(new URL('../artefacts/page/', import.meta.url))
let world: HubWorld
let browser: Browser
beforeAll(async () => {
  mkdirSync(ARTEFACTS, { recursive: true })
  world = await hubWorld({ projects: ['bank', 'shop'] })
  const writer = await world.token('write', 'shop', { name: 'will' })
  await world.ask('remember', {
    project: 'shop',
    token: writer,
    fields: { content: 'We stream by SSE, since proxies cut websockets.', kind: 'decision' },
  })
  browser = await openBrowser()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await world?.end()
}, 60_000)

interface Tab {
  readonly page: Page
  readonly faults: string[]
  picture(name: string): Promise<void>
}

async function inTab(work: (tab: Tab) => Promise<void>, { width = 1280, height = 800 } = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'en' })
  try {
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', error => faults.push(error.message))
    const picture = async (name: string) => {
      await page.screenshot({ path: path.join(ARTEFACTS, `${name}.png`) })
    }
    await work({ page, faults, picture })
    expect(faults).toEqual([])
  } finally {
    await context.close()
  }
}

async function signIn(page: Page, token: string, target = '/'): Promise<void> {
  await page.goto(`${world.address}${target}`)
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

it('asks for a token before it shows anything, and reports a rejected one', () =>
  inTab(async ({ page, picture }) => {
    await page.goto(`${world.address}/p/shop/`)
    await page.getByRole('heading', { name: 'Sign in to this hub' }).waitFor()
    expect(await page.getByText('We stream by SSE').count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
    await picture('hub-sign-in')
    await page.getByLabel('Token').fill('hello')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('is not a hub token').waitFor()
    await page.getByLabel('Token').fill(`cairn_${'0'.repeat(16)}_${'0'.repeat(64)}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The hub rejected this token').waitFor()
  }))

it('shows a reader the project and their name, and only allowed actions', () =>
  inTab(async ({ page, picture }) => {
    const token = await world.token('read', 'shop', { name: 'rita' })
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await signIn(page, token, '/p/shop/')
    await page.getByText('We stream by SSE').first().waitFor()
    await page.getByText('Signed in as rita').waitFor()
    await page.getByText('can read', { exact: false }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Chat', exact: true }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Import', exact: true }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Upkeep' }).count()).toBe(0)
    await page.getByText('You can read this project.').waitFor()
    expect(await page.getByRole('button', { name: 'New entry' }).isDisabled()).toBe(true)
    expect(asked.filter(each => each.includes(token))).toEqual([])
    expect(await accessibilityFaults(page)).toEqual([])
    await picture('hub-reader')
    await page.goto(`${world.address}/p/bank/`)
    await page.getByText('The project does not exist').waitFor()
  }))

it('lets a writer switch projects, and shows changes by others', () =>
  inTab(async ({ page }) => {
    const { token } = await world.desk.addToken({
      name: 'wanda',
      kind: 'user',
      grants: [
        { project: 'shop', scope: 'write' },
        { project: 'bank', scope: 'write' },
      ],
    })
    await signIn(page, token)
    await page.getByRole('link', { name: 'shop' }).click()
    await page.getByText('We stream by SSE').first().waitFor()
    await page.getByText('Connected').waitFor()
    await world.ask('remember', {
      project: 'shop',
      token,
      fields: { content: 'Carts live for an hour.', kind: 'decision' },
    })
    await page.getByText('Carts live for an hour.').first().waitFor()
    await page.getByLabel('Project').selectOption('bank')
    await page.waitForURL(`${world.address}/p/bank/`)
    await page.getByText('Signed in as wanda').waitFor()
    expect(await page.getByText('We stream by SSE').count()).toBe(0)
    await world.desk.revokeToken(token.split('_')[1] ?? '')
    await page.getByText('is no longer valid').waitFor({ timeout: 15_000 })
    expect(await page.getByText('Signed in as wanda').count()).toBe(0)
  }))

it('lets an admin add a project and a token, archive and restore a project, and see it in the audit', () =>
  inTab(async ({ page, picture }) => {
    await signIn(page, world.admin)
    await page.getByRole('heading', { name: 'Administration' }).waitFor()
    await page.getByLabel('Add a project').fill('attic')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Project attic added.').waitFor()
    await page.getByRole('button', { name: 'Archive attic' }).click()
    await page.getByText('attic archived. Its data').waitFor()
    await picture('hub-projects')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('attic restored.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])

    await page.getByRole('tab', { name: 'Tokens' }).click()
    await page.getByLabel('Owner').fill('ci-bot')
    await page.getByLabel('Scope').selectOption('write')
    await page.getByRole('button', { name: 'Add a project' }).click()
    await page.getByLabel('Requests per second').fill('5')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const shown = await page.locator('.hub-secret').textContent()
    expect(shown).toMatch(/^cairn_[0-9a-f]{16}_[0-9a-f]{64}$/)
    await picture('hub-token-made')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Close' }).last().click()
    await picture('hub-tokens')
    await page.getByText('attic: write · bank: read').waitFor()
    await page.getByText('5 requests per second').waitFor()
    await page.getByRole('button', { name: /^Revoke ci-bot/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Token revoked.').waitFor()

    await page.getByRole('tab', { name: 'Users and agents' }).click()
    await page.getByRole('button', { name: 'Disable ci-bot' }).click()
    await page.getByText('ci-bot disabled').waitFor()

    await page.getByRole('tab', { name: 'Audit' }).click()
    await page.getByRole('cell', { name: 'hub token revoke' }).first().waitFor()
    await page.getByLabel('Outcome').selectOption('refused')
    await page.getByRole('cell', { name: 'hub token revoke' }).first().waitFor({ state: 'detached' })
    await picture('hub-audit')
    expect(await accessibilityFaults(page)).toEqual([])
  }))

it('fits a narrow screen, and shows Portuguese texts', () =>
  inTab(
    async ({ page, picture }) => {
      await signIn(page, world.admin)
      await page.getByLabel('Language').selectOption('pt')
      await page.getByRole('heading', { name: 'Administração' }).waitFor()
      await page.getByRole('tab', { name: 'Auditoria' }).click()
      await page.getByRole('table').waitFor()
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide).toBe(0)
      await picture('hub-narrow-portuguese')
      expect(await accessibilityFaults(page)).toEqual([])
    },
    { width: 320, height: 800 },
  ))
