import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { pasted } from './clipboard.ts'
import { inPage, type PageWorld } from './page-world.ts'

/** A browser and a dozen runs of the command line are slow on a busy machine. */
const PATIENCE_MS = 180_000

const STREAM = 'We stream by SSE and not by WebSockets, because the proxy drops idle sockets.'
const SECOND = 'Never open a second WebSocket from the dashboard.'
const REDIS = 'Sessions live in Redis, for an hour.'
const HOSTILE = 'The banner is <img src=x onerror="document.title=1"> and </pre><script>alert(1)</script>.'
const PROMPT = 'why no websockets?'

function furnish({ run }: Pick<PageWorld, 'run'>): void {
  run('remember', STREAM, '--kind', 'decision', '--files', 'src/stream.ts')
  run('remember', SECOND, '--kind', 'warning')
  run('remember', REDIS, '--kind', 'warning', '--agent', 'dev')
  run('remember', HOSTILE, '--kind', 'decision', '--agent', 'dev')
  // A brief that was sent to a host.
  run('brief', '--prompt', PROMPT, '--session', 's1', '--host', 'claude-code')
}

const preview = ({ run }: Pick<PageWorld, 'run'>, ...words: string[]) =>
  JSON.parse(run('brief', '--json', ...words)) as { text: string; tokens: number }
const briefsGiven = ({ run }: Pick<PageWorld, 'run'>) =>
  JSON.parse(run('briefs', '--json')).briefs.length as number
const why = ({ run }: Pick<PageWorld, 'run'>) =>
  JSON.parse(run('why', PROMPT, '--json')).candidates.map(
    ({ factors }: { factors: { feedback: number } }) => factors.feedback,
  )

it(
  'shows exactly what an agent would receive, the scores, what was left out, and why a brief is empty',
  () =>
    inPage(
      async world => {
        const { page, url, faults, picture, run } = world
        await page.context().grantPermissions(['clipboard-write'])
        await page.goto(`${url.split('#')[0]}#/brief`)
        await page.getByText('Enter a prompt').waitFor()
        await page.getByRole('textbox', { name: 'Prompt' }).fill(PROMPT)
        const raw = page.locator('pre')
        await raw.waitFor()
        expect(await raw.textContent()).toBe(preview(world, '--prompt', PROMPT, '--host', 'claude-code').text)
        await page.getByRole('button', { name: 'Copy' }).click()
        await page.getByText('Copied.').waitFor()
        expect(await pasted(page)).toBe(await raw.textContent())

        await page.getByLabel('Host').selectOption('Codex')
        await page.waitForFunction(() => document.querySelector('pre')?.textContent?.startsWith('==='))
        expect(await raw.textContent()).toBe(preview(world, '--prompt', PROMPT, '--host', 'codex').text)
        await page.getByRole('button', { name: 'Rendered' }).click()
        await page.locator('.markdown').getByText(STREAM).waitFor()
        await page.getByRole('button', { name: 'Plain text' }).click()

        const budget = page.getByRole('table', { name: 'tokens used' })
        const { tokens } = preview(world, '--prompt', PROMPT, '--host', 'codex')
        expect(await budget.locator('caption').textContent()).toBe(`${tokens} of 5000 tokens used`)
        expect(await budget.getByRole('row', { name: 'Matches the prompt' }).textContent()).toMatch(
          /Matches the prompt1\d+/,
        )

        const items = page.getByRole('region', { name: 'Included' }).getByRole('listitem')
        const stream = items.filter({ hasText: STREAM })
        await page.getByLabel('Open files').fill('src/stream.ts')
        await stream.getByText('Why it is included').click()
        await stream.getByRole('row', { name: 'files × 1.30' }).waitFor()
        await stream.getByText('What these mean').click()
        expect(await stream.getByText('Names a file that is open').isVisible()).toBe(true)
        for (const theme of ['light', 'dark']) {
          await page.evaluate(name => document.documentElement.setAttribute('data-theme', name), theme)
          expect(await accessibilityFaults(page)).toEqual([])
          await picture(`brief-${theme}`)
        }
        await page.evaluate(() => document.querySelector('[aria-labelledby=brief-items]')?.scrollIntoView())
        await picture('brief-items')

        await stream.getByRole('button', { name: 'Wrong' }).click()
        await page.getByText('Marked as wrong').waitFor()
        await stream.getByRole('row', { name: 'feedback × 0.50' }).waitFor()
        await page.getByRole('button', { name: 'Undo' }).last().click()
        await stream.getByRole('row', { name: 'feedback × 1.00' }).waitFor()
        expect(why(world)).toEqual([1, 1])
        await stream.getByRole('button', { name: 'Pin' }).click()
        await page.getByText('Pinned. It is always injected.').waitFor()
        await stream.getByText('Pinned', { exact: true }).waitFor()
        await page.getByText('Already in this brief, higher up (1)').waitFor()
        run('undo')

        await page.getByLabel('Open files').fill('')
        await page
          .getByRole('textbox', { name: 'Prompt' })
          .fill('please fix the typo on the second page of the readme before the release goes out')
        await page.getByText('Nothing is injected for this prompt.').waitFor()
        expect(await page.getByText('The minimum is 0.15.').isVisible()).toBe(true)
        await page.getByText('Below the minimum relevance (1)').waitFor()
        await page.getByRole('textbox', { name: 'Prompt' }).fill('What is a binary tree in general?')
        await page.getByText('looks like a question of general knowledge').waitFor()
        await picture('brief-silent')

        await page.getByLabel('Task').fill('gardening')
        await page.getByRole('alert').waitFor()
        await page.getByLabel('Task').fill('')
        await page.getByRole('textbox', { name: 'Prompt' }).fill('')
        await page.getByLabel('At session start').check()
        await page.getByLabel('Agent').selectOption('dev')
        await raw.getByText(REDIS).waitFor()
        expect(await raw.textContent()).toBe(
          preview(world, '--start', '--agent', 'dev', '--host', 'codex').text,
        )
        await page.getByRole('button', { name: 'Rendered' }).click()
        await page.locator('.markdown').getByText(REDIS).waitFor()
        expect(await page.locator('main img, main script').count()).toBe(0)
        await page.getByLabel('Language').selectOption('Português')
        await page.getByRole('heading', { name: 'Orçamento de tokens' }).waitFor()
        await picture('brief-portuguese')
        // Previews sent no brief.
        expect(briefsGiven(world)).toBe(1)
        // The browser logs the refusal of the unknown task.
        expect(faults.filter(fault => !/40\d/.test(fault))).toEqual([])
      },
      { before: furnish },
    ),
  PATIENCE_MS,
)

it(
  'lists the sent briefs with their items and scores, on a small screen',
  () =>
    inPage(
      async ({ page, url, faults, picture }) => {
        await page.goto(`${url.split('#')[0]}#/brief`)
        await page.getByRole('textbox', { name: 'Prompt' }).fill(PROMPT)
        await page.getByText('Text that the agent receives').waitFor()
        expect(await accessibilityFaults(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
        await page.getByText('Token budget').scrollIntoViewIfNeeded()
        await picture('brief-320')
        await page.getByRole('tab', { name: 'Sent' }).click()
        await page.getByText('Included and left out').click()
        await page.getByRole('heading', { name: 'Included' }).waitFor()
        await page.getByRole('link', { name: STREAM }).waitFor()
        await page.getByText('Check again with the current memory').click()
        await page.getByText('Why it is included').first().click()
        await page.getByRole('row', { name: 'recency × 1.05' }).waitFor()
        expect(await accessibilityFaults(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
        await picture('brief-given-320')
        expect(faults).toEqual([])
      },
      { width: 320, height: 640, before: furnish },
    ),
  PATIENCE_MS,
)
