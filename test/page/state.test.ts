import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

const go = (page: Page, place: string) =>
  page.evaluate(to => {
    location.hash = to
  }, place)
const setDark = (page: Page) =>
  page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))

function haveState({ root, run }: Pick<PageWorld, 'root' | 'run'>): void {
  writeFileSync(
    path.join(root, 'package.json'),
    JSON.stringify({ name: 'shop', description: 'Sells things.', scripts: { test: 'vitest run' } }),
  )
  run('remember', 'Watch out: the cache is cold after a deploy.', '--kind', 'warning')
  run('recall')
  run('remember', 'Never run migrations on Fridays: nobody is there.', '--kind', 'warning')
}

it('shows the state, previews and applies a recall, and undoes it', () =>
  inPage(
    async ({ page, faults, picture }) => {
      await go(page, '#/state')
      await page.getByRole('heading', { name: 'Current state' }).waitFor()
      const gotchas = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Gotchas', level: 3 }) })
      await gotchas.getByText('the cache is cold after a deploy').waitFor()
      expect(await gotchas.getByText('Never run migrations').count()).toBe(0)
      expect(await gotchas.getByRole('link', { name: 'source entry' }).getAttribute('href')).toMatch(
        /^#\/vault\?entry=/,
      )
      await page.getByLabel('Recall policy').selectOption('balanced')
      await page.getByRole('button', { name: 'Preview changes' }).click()
      await page.getByRole('heading', { name: 'Changes to apply' }).waitFor()
      await page
        .getByRole('listitem')
        .filter({ hasText: 'added' })
        .getByText('Never run migrations on Fridays: nobody is there.')
        .waitFor()
      await picture('state-recall')
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Apply' }).click()
      await gotchas.getByText('Never run migrations').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('the previous state is restored.').waitFor()
      await gotchas.getByText('Never run migrations').waitFor({ state: 'detached' })
      // Every change created a checkpoint, and each can be restored.
      await page.getByRole('tab', { name: 'Checkpoints' }).click()
      const withFriday = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('button', { name: 'Show' }) })
      await withFriday.nth(1).getByRole('button', { name: 'Show' }).click()
      await page.getByRole('heading', { name: 'Changes since then' }).waitFor()
      await picture('state-checkpoint')
      await page.getByRole('button', { name: 'Restore this state' }).click()
      await page.getByText(/^State of .* restored\./).waitFor()
      await setDark(page)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByRole('tab', { name: 'Current state' }).click()
      await gotchas.getByText('Never run migrations').waitFor()
      await picture('state-dark')
      expect(faults).toEqual([])
    },
    { before: haveState },
  ))

function haveWorkspaces({ root, run }: Pick<PageWorld, 'root' | 'run'>): void {
  const file = (name: string, ...lines: string[]) => {
    const full = path.join(root, 'resources/workspaces', name)
    mkdirSync(path.dirname(full), { recursive: true })
    writeFileSync(full, lines.join('\n'))
  }
  file(
    'devtools/OVERVIEW.md',
    '---',
    'name: Dev tools',
    'description: What we build with.',
    '---',
    '# Dev tools',
    '',
    'Everything **builds** by Bazel.',
  )
  file(
    'devtools/_plans/260208-engine.md',
    '---',
    'name: Workflow engine',
    'description: One engine for all.',
    'status: in_progress',
    'created: 2026-02-08',
    'tags: [engine]',
    '---',
    'First the *parser*.',
  )
  file(
    'devtools/_plans/260101-old.md',
    '---',
    'name: Old builder',
    'description: Away with it.',
    'status: done',
    'created: 2026-01-01',
    'tags: [builder]',
    '---',
    'Gone.',
  )
  file(
    'devtools/common/metan/OVERVIEW.md',
    '---',
    'name: Metan',
    'description: Reads metadata.',
    '---',
    'Metan reads.',
  )
  run(
    'workspace',
    'learn',
    'decision',
    'One parser',
    '--scope',
    'devtools/common',
    '--category',
    'architecture',
    '--content',
    'We keep one parser for all languages.',
  )
  run('hot', 'init')
  const long = Array.from({ length: 70 }, (_, n) => `- Rule ${n}: keep it short.\n`)
  appendFileSync(path.join(root, 'agent/rules/common/user-profile.md'), long.join(''))
}

it('shows plans and overviews by scope, and the size of hot memory, also on a phone', () =>
  inPage(
    async ({ page, faults, picture }) => {
      await go(page, '#/state?tab=workspaces')
      await page.getByRole('button', { name: /^Dev tools/ }).waitFor()
      await page.getByText('builds', { exact: true }).waitFor()
      await page.getByText('Workflow engine').waitFor()
      await page.getByLabel('Status').selectOption('done')
      await page.getByText('Old builder').waitFor()
      await page.getByText('Workflow engine').waitFor({ state: 'detached' })
      await page.getByLabel('Status').selectOption('')
      await page.getByLabel('Tags').fill('engine')
      await page.getByText('Old builder').waitFor({ state: 'detached' })
      await page.getByText('260208-engine.md').click()
      await page.getByText('parser', { exact: true }).waitFor()
      await picture('state-320')
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByRole('button', { name: /^common/ }).click()
      await page.getByText('We keep one parser for all languages.').waitFor()
      await page.setViewportSize({ width: 1280, height: 800 })
      await picture('state-workspaces')
      await page.getByRole('tab', { name: 'Hot memory' }).click()
      const meter = page.getByRole('meter', { name: 'Lines: agent/rules/common/user-profile.md' })
      await meter.waitFor()
      expect(await meter.getAttribute('aria-valuetext')).toMatch(/^\d+ of 50 lines$/)
      await page.getByText('problems found').waitFor()
      await page.getByText(/Advice appears after 15 closed sessions/).waitFor()
      await picture('state-hot')
      expect(await accessibilityFaults(page)).toEqual([])
      await setDark(page)
      expect(await accessibilityFaults(page)).toEqual([])
      expect(faults).toEqual([])
    },
    { width: 320, height: 640, before: haveWorkspaces },
  ))

it('shows the next step where there is no content yet', () =>
  inPage(async ({ page, faults }) => {
    await go(page, '#/state')
    await page.getByRole('heading', { name: 'No state yet' }).waitFor()
    await page.getByRole('tab', { name: 'Checkpoints' }).click()
    await page.getByText('No checkpoints yet.').waitFor()
    await page.getByRole('tab', { name: 'Workspaces' }).click()
    await page.getByRole('heading', { name: 'No workspaces' }).waitFor()
    await page.getByRole('tab', { name: 'Hot memory' }).click()
    await page.getByRole('heading', { name: 'No hot memory' }).waitFor()
    expect(faults).toEqual([])
  }))
