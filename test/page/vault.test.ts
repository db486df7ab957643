import { writeFileSync } from 'node:fs'
import * as path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { believableMemory, writeLines } from './believable-memory.ts'
import { inPage, type PageWorld } from './page-world.ts'

const filled = {
  before: ({ run, home }: Pick<PageWorld, 'run' | 'home'>) => {
    run('import', writeLines(path.dirname(home), believableMemory(Date.now())))
  },
}

const rows = (page: Page) => page.getByRole('list', { name: 'Entries' }).getByRole('article')
const row = (page: Page, words: string | RegExp) => rows(page).filter({ hasText: words })
const toast = (page: Page, words: string | RegExp) => page.locator('.toast').filter({ hasText: words })
const hash = (page: Page) => new URL(page.url()).hash
/** Presses Undo in the newest toast. */
const undo = async (page: Page, words: string | RegExp) => {
  await toast(page, words).last().getByRole('button', { name: 'Undo' }).click()
  await toast(page, /Undone|undone/)
    .last()
    .waitFor()
}

it('browses entries: agents, tabs, filters, search, an entry with its links and history', () =>
  inPage(async ({ page, faults, picture }) => {
    await row(page, 'Stream order updates').waitFor()
    await expect.poll(() => rows(page).count()).toBe(5)
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      'Decisions 5',
      'Lessons 2',
      'Handoffs 1',
      'Tasks 3',
      'Project 1',
    ])
    expect(await page.getByLabel('Agent').locator('option').allInnerTexts()).toEqual([
      'All agents (12)',
      'dev (7)',
      'reviewer (3)',
      'shared (2)',
    ])
    await row(page, 'Prices are integers').locator('.hljs-keyword, .keyword, code span').first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await picture('vault-wide')

    // An agent and a tab, and back again.
    await page.getByLabel('Agent').selectOption('reviewer')
    await page.getByRole('tab', { name: /Lessons/ }).click()
    await row(page, 'Never run the migration').waitFor()
    expect(hash(page)).toBe('#/vault?tab=lessons&agent=reviewer')
    await page.goBack()
    await page.goBack()
    await row(page, 'Stream order updates').waitFor()
    await expect.poll(() => rows(page).count()).toBe(5)

    // Filters combine, are shown as chips, and are removed one by one.
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Status').selectOption('candidate')
    await row(page, 'Move the checkout').waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.getByLabel('Kind', { exact: true }).selectOption('preference')
    await page.getByText('No entries match these filters').waitFor()
    await page.getByRole('button', { name: 'Remove filter Status: candidate' }).click()
    await row(page, 'Answer in English').waitFor()
    await page.getByRole('button', { name: 'Remove filter Kind: preference' }).click()
    await page.getByRole('button', { name: '#auth', exact: true }).click()
    await page.getByText('1 entry', { exact: true }).waitFor()
    expect(hash(page)).toBe('#/vault?tags=auth')
    await page.getByRole('combobox', { name: 'Tag' }).fill('sse')
    await page.getByRole('button', { name: 'Add tag' }).click()
    await page.getByText('2 entries', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('5 entries', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Filters' }).click()

    // Search by keyboard: everywhere, then in this list; Escape clears.
    await page.keyboard.press('/')
    await page.keyboard.type('deploy proxy')
    await page.locator('mark', { hasText: 'proxy' }).waitFor()
    await row(page, 'migration').waitFor()
    await page.getByRole('button', { name: 'This list' }).click()
    await row(page, 'migration').waitFor({ state: 'detached' })
    expect(await rows(page).first().innerText()).toContain('not WebSockets')
    await page.getByRole('button', { name: 'Everything' }).click()
    await row(page, 'migration').waitFor()
    await page.getByRole('button', { name: 'Words', exact: true }).click()
    await page.waitForFunction(() => location.hash.includes('by=words'))
    await picture('vault-search')
    await page.getByLabel('Search memories').fill('zyzzyva xylophone')
    await page.getByText('No results for “zyzzyva xylophone”').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('5 entries', { exact: true }).waitFor()
    expect(await page.getByLabel('Search memories').inputValue()).toBe('')
    await page.keyboard.press('Escape')

    // Move between entries, and open one.
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    const detail = page.getByRole('complementary', { name: 'Entry' })
    await detail.getByText('Written by').waitFor()
    await detail.getByText('History').click()
    await detail.getByText('import', { exact: true }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await picture('vault-detail')
    await page.keyboard.press('Escape')
    await detail.waitFor({ state: 'detached' })
    await page.keyboard.press('o')
    await detail.getByRole('heading', { name: 'About' }).waitFor()
    await detail.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press(']')
    await row(page, 'spawn()').waitFor()
    await page.keyboard.press('[')
    await row(page, 'Stream order updates').waitFor()

    await page.evaluate(() => {
      document.documentElement.dataset.theme = 'dark'
    })
    expect(await accessibilityFaults(page)).toEqual([])
    await picture('vault-dark')
    await page.setViewportSize({ width: 3840, height: 2160 })
    await page.keyboard.press('Enter')
    await detail.getByText('Written by').waitFor()
    await picture('vault-4k')
    expect(faults).toEqual([])
  }, filled))

it('creates, edits, compares, deletes and pins entries, ticks tasks, edits the project text, and undoes each change', () =>
  inPage(async ({ page, faults, picture, run, root }) => {
    await row(page, 'Stream order updates').waitFor()

    // Create by keyboard; a secret is removed.
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel('Content')
      .fill(`Deploy with the **token** ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'} only from CI. #deploy`)
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.locator('strong', { hasText: 'token' }).waitFor()
    await dialog.getByRole('button', { name: 'Write' }).click()
    await dialog.getByLabel('Tags').fill('ci')
    expect(await accessibilityFaults(page)).toEqual([])
    await picture('vault-create')
    await dialog.getByLabel('Content').press('Control+Enter')
    await toast(page, 'Entry saved. A secret was removed').waitFor()
    await row(page, 'only from CI').waitFor()
    expect(await row(page, 'only from CI').innerText()).not.toContain('ghp_')

    // A duplicate does not create a second entry.
    await page.getByRole('button', { name: 'New entry' }).click()
    await dialog.getByLabel('Content').fill('Answer in English, short, with the command first. #style')
    await dialog.getByLabel('Agent').fill('shared')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await toast(page, 'This entry already exists').waitFor()
    await dialog.waitFor({ state: 'detached' })

    // Edit in place: Shift+Enter adds a line, Escape keeps the draft, Enter saves, and Undo reverts it.
    const sessions = row(page, /Sessions live in Redis/)
    await sessions.dblclick({ position: { x: 300, y: 60 } })
    const editor = page.getByRole('form', { name: 'Edit' })
    await editor.getByLabel('Content').press('End')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('Ask ops before changing it.')
    await page.keyboard.press('Escape')
    await sessions.getByText('Draft saved').waitFor()
    await sessions.getByRole('button', { name: 'Continue editing' }).click()
    await editor.getByLabel('Kind').fill('warning')
    await editor.getByLabel('Category').selectOption('decisions')
    await picture('vault-edit')
    await editor.getByLabel('Content').press('Enter')
    await toast(page, 'Saved.').waitFor()
    await sessions.getByText('warning').waitFor()
    expect(run('list', 'decisions', '--json')).toContain('Ask ops before changing it.')
    await undo(page, 'Saved.')
    await sessions.getByText('Ask ops').waitFor({ state: 'detached' })

    // Another user changed the entry first: both versions are shown, and nothing is lost.
    await page.keyboard.press('e')
    const id = JSON.parse(run('search', 'TTL of 12 hours', '--json')).hits[0].id as string
    await editor.getByLabel('Content').fill('Sessions live in Redis with a TTL of 8 hours. #auth')
    run('edit', id, '--content', 'Sessions live in Valkey with a TTL of 12 hours. #auth')
    await editor.getByLabel('Content').press('Enter')
    const both = page.getByRole('region', { name: 'Both versions' })
    await both.locator('mark', { hasText: 'Valkey' }).waitFor()
    await both.locator('mark', { hasText: 'Redis' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await picture('vault-both')
    await both.getByRole('button', { name: 'Merge by hand' }).click()
    await both.getByLabel('Merged text').fill('Sessions live in Valkey with a TTL of 8 hours. #auth')
    await both.getByRole('button', { name: 'Save merged' }).click()
    await row(page, 'Valkey with a TTL of 8 hours').waitFor()
    expect(run('show', id)).toContain('Valkey with a TTL of 8 hours')

    // Delete removes the entry immediately, and Undo restores it.
    await row(page, 'Move the checkout').focus()
    await page.keyboard.press('Delete')
    await row(page, 'Move the checkout').waitFor({ state: 'detached' })
    await undo(page, 'Deleted.')
    await row(page, 'Move the checkout').waitFor()

    await row(page, 'Move the checkout').focus()
    await page.keyboard.press('p')
    await row(page, 'Move the checkout').getByText('pinned').waitFor()
    await undo(page, 'Pinned')
    await row(page, 'Move the checkout').getByText('candidate').waitFor()
    await row(page, 'Move the checkout').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Still true' }).click()
    await toast(page, 'Confirmed').waitFor()
    await page.getByRole('button', { name: 'Useful' }).click()
    await undo(page, 'Marked as useful')
    await page.keyboard.press('Escape')

    // Tasks: open ones first, ticked in place.
    await page.getByRole('tab', { name: /Tasks/ }).click()
    await row(page, 'Rotate the signing key').waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByRole('checkbox', { name: 'Rotate the signing key before June', exact: true }).click()
    await page.getByRole('button', { name: '2 done' }).click()
    expect(run('task', 'list', '--all')).toContain('[x] Rotate the signing key')
    await page.getByRole('checkbox', { name: 'Load test of the order stream', exact: true }).click()
    await page.getByRole('button', { name: '3 done' }).waitFor()
    await picture('vault-tasks')
    await undo(page, 'Done.')
    await page.getByRole('button', { name: '2 done' }).waitFor()

    // A new task starts with its checkbox, followed by the typed text.
    await page.keyboard.press('n')
    await page.keyboard.type('Write the release notes')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('checkbox', { name: 'Write the release notes', exact: true }).waitFor()
    await undo(page, 'Entry saved.')

    // The project text.
    await page.getByRole('tab', { name: /Project/ }).click()
    const shared = page.getByRole('region', { name: 'Shared project text' })
    await shared.getByRole('button', { name: 'Edit project text' }).click()
    const text = shared.getByLabel('Project text, in Markdown')
    await text.fill(`# Shop\n\n${'word '.repeat(501)}`)
    await shared.getByRole('alert').getByText('recommended maximum is 500').waitFor()
    await text.fill('# Shop\n\nHono, Postgres, React.')
    await shared.getByText('5 words · about 8 tokens').waitFor()
    await shared.getByRole('button', { name: 'Save' }).click()
    await shared.getByRole('heading', { name: 'Shop' }).waitFor()
    await shared.getByRole('button', { name: 'Edit project text' }).click()
    await text.fill('# Shop\n\nHono, Postgres and React.')
    writeFileSync(path.join(root, '.memory', '_project.md'), '# Shop\n\nHono, Postgres, Vue.\n')
    await shared.getByRole('button', { name: 'Save' }).click()
    await shared.locator('mark', { hasText: 'Vue' }).waitFor()
    await shared.getByRole('button', { name: 'Save mine' }).click()
    // The project text has both versions too. Saving closes them.
    await shared.getByRole('button', { name: 'Save mine' }).waitFor({ state: 'detached' })
    await shared.getByText('Hono, Postgres and React.').waitFor()
    await undo(page, 'Project text saved')
    await shared.getByText('Hono, Postgres, Vue.').waitFor()
    await picture('vault-project')

    // A bulk action, with one Undo.
    await page.getByRole('tab', { name: /Decisions/ }).click()
    await row(page, 'Stream order updates').waitFor()
    const picks = page.getByRole('checkbox', { name: /^Select: / })
    await picks.nth(1).click()
    await picks.nth(3).click({ modifiers: ['Shift'] })
    const bulk = page.getByRole('region', { name: 'Selected entries' })
    await bulk.getByText('3 selected').waitFor()
    await bulk.getByRole('button', { name: 'Change …' }).click()
    await dialog.getByLabel('Add tags').fill('q3')
    await dialog.getByLabel('Move to agent').fill('archive-keeper')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await toast(page, '3 entries changed.').waitFor()
    expect(JSON.parse(run('list', '--agent', 'archive-keeper', '--tags', 'q3', '--json')).total).toBe(3)
    await undo(page, '3 entries changed.')
    expect(JSON.parse(run('list', '--agent', 'archive-keeper', '--json')).total).toBe(0)
    await page.keyboard.press('Control+a')
    await bulk.getByText('6 selected').waitFor()
    await picture('vault-bulk')
    expect(await accessibilityFaults(page)).toEqual([])
    const saving = page.waitForEvent('download')
    await bulk.getByRole('button', { name: 'Export JSON' }).click()
    expect((await saving).suggestedFilename()).toBe('memories.json')
    await bulk.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No decisions here yet').waitFor()
    await undo(page, '6 entries deleted.')
    await page.getByText('6 entries', { exact: true }).waitFor()
    expect(faults.filter(fault => !fault.includes('409'))).toEqual([])
  }, filled))

it('fits a narrow screen, shows Portuguese texts, and explains the missing token', () =>
  inPage(
    async ({ page, faults, picture, url }) => {
      await row(page, 'Stream order updates').waitFor()
      const isTooWide = () =>
        page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
      expect(await isTooWide()).toBe(false)
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('vault-narrow')
      await row(page, 'Stream order updates').getByRole('button', { name: 'More actions' }).click()
      await picture('vault-narrow-menu')
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await page
        .getByRole('form', { name: 'Edit' })
        .getByLabel('Content')
        .fill('Stream order updates by SSE.')
      expect(await isTooWide()).toBe(false)
      await picture('vault-narrow-edit')
      await page.keyboard.press('Enter')
      await toast(page, 'Saved.').waitFor()
      await row(page, 'Stream order updates').getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Open' }).click()
      await page.getByRole('dialog').getByText('Written by').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('vault-narrow-detail')
      await page.keyboard.press('Escape')
      await page
        .getByRole('checkbox', { name: /^Select: / })
        .first()
        .click()
      expect(await isTooWide()).toBe(false)
      await picture('vault-narrow-bulk')
      expect(faults).toEqual([])

      await page.evaluate(() => {
        localStorage.setItem('cairn-language', 'pt')
        sessionStorage.clear()
      })
      await page.goto(`${new URL(url).origin}/#/vault?tab=lessons`)
      await page.reload()
      await page.getByText('Somente leitura: esta aba').first().waitFor()
      expect(await page.getByRole('button', { name: 'Nova entrada' }).first().isDisabled()).toBe(true)
      await page.getByRole('tab', { name: 'Handoffs 1' }).click()
      await page.getByText('Order stream is done').waitFor()
      expect(await isTooWide()).toBe(false)
      await picture('vault-narrow-pt')
    },
    { ...filled, width: 320, height: 640 },
  ))
