import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openMemory } from '../../src/api.ts'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

function haveSessions({ run }: Pick<PageWorld, 'run'>): void {
  run('session', 'start', 'redis-talk', '--agent', 'dev', '--host', 'codex')
  const say = (session: string, role: string, text: string, ...more: string[]) =>
    run('session', 'append', session, '--agent', 'dev', '--role', role, '--text', text, ...more)
  say(
    'redis-talk',
    'user',
    'Where do sessions live? #remember We keep sessions in Redis, because the database is slow.',
  )
  say('redis-talk', 'agent', 'To the reviewer: look at the store.', '--internal')
  run('session', 'run', 'redis-talk', '--agent', 'dev', '--command', 'npm test', '--exit-code', '1')
  run('session', 'run', 'redis-talk', '--agent', 'dev', '--command', 'npm test', '--exit-code', '0')
  say('redis-talk', 'agent', 'Done: **sessions** are in Redis now. <img src=x onerror=alert(1)>')
  run('session', 'close', 'redis-talk')
  run('session', 'start', 'aside', '--agent', 'qa', '--host', 'claude-code')
  run('session', 'append', 'aside', '--agent', 'qa', '--text', 'Check the login form.')
  run('session', 'sleep', 'aside', '--agent', 'qa', '--summary', 'The login form is half checked.')
  run('session', 'append', 'running', '--agent', 'dev', '--text', 'Why is the build slow?')
}

async function haveMany(root: string): Promise<void> {
  const memory = await openMemory({ root, vectors: 'never', upkeep: 'never' })
  for (let n = 0; n < 35; n++)
    await memory.sessions.append({ session: `many-${n}`, agent: 'dev' }, [
      { role: 'user', text: `Question ${n}?` },
    ])
  await memory.close()
}

const go = (page: Page, place: string) =>
  page.evaluate(to => {
    location.hash = to
  }, place)

it('lists sessions by day with their new memories, their conversation, and the entries on that day', () =>
  inPage(
    async ({ page, run, faults, picture }) => {
      await go(page, '#/timeline')
      await page.getByRole('heading', { name: 'Timeline', level: 1 }).waitFor()
      await page.getByText('3 of 3 sessions.').waitFor()
      const closed = page.getByRole('listitem').filter({ hasText: /\d memor(?:y|ies) added/ })
      await closed.getByRole('link', { name: /We keep sessions in Redis/ }).waitFor()
      expect(await closed.getByText('codex').count()).toBe(1)
      // An address with a session opens it; an unknown session is reported.
      await go(page, '#/timeline?session=redis-talk')
      await closed.getByRole('button', { name: 'Hide the conversation' }).waitFor()
      await go(page, '#/timeline?session=gone')
      await page.getByText('Session gone does not exist any more.').waitFor()
      // The conversation: commands, findings, and internal messages on demand.
      await closed.getByRole('button', { name: 'Show the conversation' }).click()
      await closed.getByText('sessions', { exact: true }).last().waitFor()
      await closed.getByRole('heading', { name: 'Commands and changes' }).waitFor()
      await closed.getByText('failed').first().waitFor()
      expect(await closed.getByText('To the reviewer').count()).toBe(0)
      await closed.getByText('1 internal message is hidden.').waitFor()
      await closed.getByLabel('Show internal messages').check()
      await closed.getByText('To the reviewer: look at the store.').waitFor()
      await picture('timeline')
      expect(await accessibilityFaults(page)).toEqual([])
      // Filter by status.
      await page.getByLabel('Status').selectOption('left')
      await page.getByText('1 of 3 sessions.').waitFor()
      await page.getByText('Handoff').click()
      await page.getByText('The login form is half checked.').last().waitFor()
      await page.getByLabel('Until').fill('2020-01-01')
      await page.getByRole('heading', { name: 'No matching sessions' }).waitFor()
      await page.getByLabel('Until').fill('')
      await page.getByLabel('Status').selectOption('')
      await page.getByLabel('Agent', { exact: true }).selectOption('dev')
      await page.getByText('2 of 2 sessions.').waitFor()
      // A session closed elsewhere appears.
      run('session', 'append', 'later', '--agent', 'dev', '--text', 'Rename the users table.')
      await page.getByRole('heading', { name: 'Rename the users table.' }).waitFor()
      // The entries on an earlier day.
      await page.getByRole('link', { name: 'Entries on this day' }).click()
      await page.getByRole('heading', { name: /^Entries on/ }).waitFor()
      await page.getByText('We keep sessions in Redis').first().waitFor()
      await picture('timeline-then')
      expect(await accessibilityFaults(page)).toEqual([])
      await page.getByLabel('Day').fill('2020-01-01')
      await page.getByText('0 entries on this day.').waitFor()
      await page.getByText('No entries on this day.').waitFor()
      await page.getByRole('link', { name: '← All sessions' }).click()
      await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
      await page.getByText('4 of 4 sessions.').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      await picture('timeline-dark')
      expect(faults).toEqual([])
    },
    { before: haveSessions },
  ))

it('loads more while scrolling, shows the next step when there are no sessions, and fits a phone', async () => {
  await inPage(
    async ({ page, faults, picture }) => {
      await go(page, '#/timeline')
      await page.getByText('30 shown, 30 of 35 sessions loaded.').waitFor()
      await page.getByRole('heading', { name: 'Question 34?' }).waitFor()
      await page.mouse.move(160, 400)
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      await page.getByText('35 of 35 sessions.').waitFor()
      await page.evaluate(() => scrollTo(0, 0))
      await picture('timeline-320')
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
      expect(await accessibilityFaults(page)).toEqual([])
      expect(faults).toEqual([])
    },
    {
      width: 320,
      height: 640,
      before: ({ root }) => haveMany(root),
    },
  )
  await inPage(async ({ page }) => {
    await go(page, '#/timeline')
    await page.getByRole('heading', { name: 'No sessions yet' }).waitFor()
    await page.getByRole('link', { name: 'Go to Import' }).click()
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor()

    // The other views of an empty memory show a next step too, and none shows a warning.
    await go(page, '#/vault')
    await page.getByRole('link', { name: 'Import existing memories' }).waitFor()
    await go(page, '#/state')
    await page.getByRole('heading', { name: 'No state yet' }).waitFor()
    expect(await page.locator('.notice').count()).toBe(0)
  })
})
