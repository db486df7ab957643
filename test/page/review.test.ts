import { writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { fingerprint } from '../../src/kernel/text/fingerprint.ts'
import { writeIn } from '../support/scratch-project.ts'
import { headFile } from '../support/vault-files.ts'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

/** A browser and a dozen runs of the command line are slow on a busy machine. */
const PATIENCE_MS = 180_000

const QUEUE = 'Never send an invoice without the queue, because the partner drops connections after a minute.'
const SMOKE = 'Always run the smoke tests before a deploy without the queue.'
const TOKENS = 'Never log the customer tokens, they end up in the archive.'
const LOCALE = 'We decided to send `X-Locale` twice, because the invoice worker drops the first header.'

/** A session that leaves a candidate and three suggestions. */
function holdSession({ root, run }: Pick<PageWorld, 'root' | 'run'>): void {
  const say = (role: string, text: string) =>
    run('session', 'append', 's1', '--agent', 'dev', '--role', role, '--text', text)
  say('agent', `Done. ${LOCALE}`)
  say('user', SMOKE)
  say('user', TOKENS)
  run('session', 'close', 's1')
  const entries = [{ statement: QUEUE, kind: 'warning' }]
  writeFileSync(path.join(root, 'saved.json'), JSON.stringify({ entries }))
  run('save', 'saved.json', '--agent', 'dev', '--session', 's1')
}

const review = ({ run }: Pick<PageWorld, 'run'>) =>
  JSON.parse(run('review', '--json')).proposals.map(({ content }: { content: string }) => content)
const statuses = ({ run }: Pick<PageWorld, 'run'>, content: string) =>
  JSON.parse(run('list', '--json')).entries.flatMap((entry: { content: string; status: string }) =>
    entry.content === content ? [entry.status] : [],
  )

it(
  'reviews the findings of a session: by button, by keys, with edited text and in bulk, each with Undo',
  () =>
    inPage(
      async world => {
        const { page, url, faults, picture } = world
        await page.goto(`${url.split('#')[0]}#/review`)
        const items = page.getByRole('list', { name: 'Proposals' }).getByRole('listitem')
        // By its own text: it may also contain the text of similar items.
        const item = (text: string) => items.filter({ has: page.locator('p', { hasText: text }) })
        const locale = 'because the invoice worker drops the first header'
        await item(QUEUE).waitFor()
        expect(await page.getByRole('button', { name: 'warning 2' }).isVisible()).toBe(true)
        expect(await page.getByText('0 of 4 reviewed').isVisible()).toBe(true)

        await page.getByRole('heading', { name: 'Candidates: injected, marked as unconfirmed' }).waitFor()
        await page.getByRole('heading', { name: 'Suggestions: injected only if you accept them' }).waitFor()
        await item(SMOKE).getByText('Evidence', { exact: true }).click()
        expect(await item(SMOKE).getByText('high importance: 1 point').isVisible()).toBe(true)
        await item(locale).getByText('Evidence', { exact: true }).click()
        expect(await item(locale).getByText('Found by a rule').isVisible()).toBe(true)
        await item(SMOKE).getByText('Similar entries').click()
        await item(SMOKE).getByRole('link', { name: 'queue' }).waitFor()
        expect(await accessibilityFaults(page)).toEqual([])
        await picture('review')
        await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
        expect(await accessibilityFaults(page)).toEqual([])
        await picture('review-dark')
        await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'))

        await item(QUEUE).getByRole('button', { name: 'Accept', exact: true }).click()
        await page.getByText('1 of 4 reviewed').waitFor()
        expect(statuses(world, QUEUE)).toEqual(['confirmed'])
        await page.getByRole('button', { name: 'Undo' }).click()
        await item(QUEUE).waitFor()
        expect(statuses(world, QUEUE)).toEqual(['candidate'])

        await page.getByRole('button', { name: 'decision 1' }).click()
        await page.keyboard.press('j')
        await page.keyboard.press('e')
        const field = page.getByRole('textbox', { name: 'New text' })
        await field.fill('The invoice worker needs the locale header twice.')
        await field.press('Enter')
        await page.getByText('No items of this kind.').waitFor()
        expect(statuses(world, 'The invoice worker needs the locale header twice.')).toEqual(['confirmed'])
        await page.getByRole('button', { name: 'Show all kinds' }).click()

        await page.keyboard.press('j')
        await page.keyboard.press('r')
        await page.getByText('2 of 4 reviewed').waitFor()
        expect(review(world)).toEqual([SMOKE, TOKENS])
        await page.keyboard.press('u')
        await item(QUEUE).waitFor()
        expect(review(world)).toEqual([QUEUE, SMOKE, TOKENS])

        await page.getByRole('checkbox', { name: 'Select all shown' }).check()
        await page.getByText('3 selected').waitFor()
        await page.getByRole('button', { name: 'Reject selected' }).click()
        await page.getByText('All 4 items reviewed.').waitFor()
        expect(review(world)).toEqual([])
        await page.getByRole('button', { name: 'Undo' }).last().click()
        await item(SMOKE).waitFor()
        expect(review(world)).toEqual([QUEUE, SMOKE, TOKENS])
        expect(faults).toEqual([])
      },
      { before: holdSession },
    ),
  PATIENCE_MS,
)

/** Agents request changes over MCP (`test/e2e/mcp.test.ts` covers this). Here the request is already stored. */
function propose({ root, run }: Pick<PageWorld, 'root' | 'run'>): void {
  const { entry } = JSON.parse(run('remember', 'Deploys wait for the smoke tests.', '--json'))
  const { id } = entry
  const asked = {
    entry: id,
    print: fingerprint(entry.content),
    at: '2026-11-15T09:12:44.120Z',
    by: 'codex/dev',
  }
  const fields = { content: 'Deploys wait for the nightly tests.' }
  const waiting = {
    [`${id}:forget`]: { ...asked, action: 'forget' },
    [`${id}:edit-5b0c11d2`]: { ...asked, action: 'edit', fields },
  }
  const file = path.join(root, '.memory', 'history', 'proposals.json')
  writeFileSync(file, JSON.stringify({ version: 1, waiting, rejected: {} }))
}

it(
  'shows a change requested by an agent, and applies it when it is accepted',
  () =>
    inPage(
      async world => {
        const { page, url, faults } = world
        await page.goto(`${url.split('#')[0]}#/review`)
        await page
          .getByRole('heading', { name: 'Changes requested by agents: applied only if you accept them' })
          .waitFor()
        const items = page.getByRole('list', { name: 'Proposals' }).getByRole('listitem')
        const forget = items.filter({ has: page.getByText('Delete', { exact: true }) })
        const edit = items.filter({ has: page.getByText('Change', { exact: true }) })
        expect(await forget.getByText('Requested by codex/dev').isVisible()).toBe(true)
        expect(await forget.getByRole('button', { name: 'Edit and accept' }).count()).toBe(0)
        expect(await edit.getByText('New text:').isVisible()).toBe(true)
        expect(await edit.getByText('Deploys wait for the nightly tests.').isVisible()).toBe(true)
        expect(await accessibilityFaults(page)).toEqual([])

        await forget.getByRole('button', { name: 'Reject' }).click()
        await page.getByText('1 of 2 reviewed').waitFor()
        expect(statuses(world, 'Deploys wait for the smoke tests.')).toEqual(['confirmed'])
        await edit.getByRole('button', { name: 'Accept', exact: true }).click()
        await page.getByText('All 2 items reviewed.').waitFor()
        expect(statuses(world, 'Deploys wait for the nightly tests.')).toEqual(['confirmed'])
        await page.getByRole('button', { name: 'Undo' }).last().click()
        await edit.waitFor()
        expect(statuses(world, 'Deploys wait for the smoke tests.')).toEqual(['confirmed'])
        expect(faults).toEqual([])
      },
      { before: propose },
    ),
  PATIENCE_MS,
)

const FRUITS = ['apples', 'pears', 'plums', 'figs', 'grapes', 'dates', 'limes', 'kiwis']

/** A file with too many entries. */
function overfill({ root, run }: Pick<PageWorld, 'root' | 'run'>): void {
  run('config', 'set', 'vault.keepEntries', '2')
  run('config', 'set', 'review.maxEntriesPerFile', '4')
  const entries = FRUITS.map((fruit, n) => ({
    content: `About ${fruit}.`,
    date: `2026-0${1 + (n % 2)}-0${1 + n}T10:00`,
  }))
  writeIn(root, '.memory/dev/decisions.md', headFile(entries))
}

it(
  'shows stale items on a small screen, with a preview before each action',
  () =>
    inPage(
      async world => {
        const { page, url, run, faults, picture } = world
        const stale = () => JSON.parse(run('review', '--stale', '--json')).total
        await page.goto(`${url.split('#')[0]}#/review`)
        await page.getByText('Nothing to review.').waitFor()
        await page.getByRole('tab', { name: 'Stale' }).click()
        await page.getByText('8 entries, maximum 4').waitFor()
        await picture('review-stale-320')
        expect(await accessibilityFaults(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

        await page.getByRole('button', { name: 'Preview', exact: true }).click()
        const dialog = page.getByRole('dialog', { name: 'Preview' })
        await dialog.getByText('6 entries to their own files in dev/decisions/').waitFor()
        await picture('review-stale-dialog-320')
        expect(await accessibilityFaults(page)).toEqual([])
        expect(stale()).toBe(1)
        await dialog.getByRole('button', { name: 'Apply' }).click()
        await page.getByText('None of the 8 entries is stale.').waitFor()
        expect(stale()).toBe(0)
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByRole('list', { name: 'Proposals' }).getByRole('button', { name: 'Dismiss' }).click()
        await page.getByText('1 dismissed earlier.').waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('8 entries, maximum 4').waitFor()
        expect(stale()).toBe(1)
        expect(faults).toEqual([])
      },
      { width: 320, height: 640, before: overfill },
    ),
  PATIENCE_MS,
)
