import { writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { inPage, type PageWorld } from './page-world.ts'

const PATIENCE_MS = 180_000

const PLAN = {
  graph: 'release',
  tasks: [
    { name: 'grammar', title: 'Write the grammar' },
    {
      name: 'parser',
      title: 'Write the parser',
      after: ['grammar'],
      brief: 'Recursive descent, no generator.\nThe grammar is in docs/grammar.md.',
      files: ['docs/grammar.md'],
      priority: 5,
    },
    { name: 'docs', title: 'Describe the <b>syntax</b>', kind: 'write' },
    { name: 'fuzz', title: 'Fuzz the parser', after: ['parser'] },
    { name: 'ship', title: 'Ship it', after: ['parser', 'docs'] },
    { name: 'port', title: 'Port it to Windows', attempts: 1 },
  ],
}

interface Claimed {
  readonly claimed: { readonly lease: string }
}

/** One task is done, one failed, one running; the others depend on them. */
function board({ run, root }: Pick<PageWorld, 'run' | 'root'>): void {
  writeFileSync(path.join(root, 'plan.json'), JSON.stringify(PLAN))
  run('work', 'plan', 'plan.json')
  const lease = (task: string) =>
    (JSON.parse(run('work', 'claim', task, '--worker', 'ana', '--json')) as Claimed).claimed.lease
  run('work', 'done', lease('release.grammar'), 'It has 40 rules.', '--remember', 'The grammar is LL(1).')
  run('work', 'fail', lease('release.port'), 'No machine to try it on')
  run('work', 'beat', lease('release.parser'), '12 of 40 rules', '--share', '0.3')
}

const stateOf = ({ run }: Pick<PageWorld, 'run'>, task: string) =>
  JSON.parse(run('work', 'show', task, '--json')).state

it(
  'shows tasks by state and a task with its details, and cancels and reopens its dependents',
  () =>
    inPage(
      async world => {
        const { page, url, faults, picture, run } = world
        await page.goto(`${url.split('#')[0]}#/work`)
        await page.getByRole('heading', { name: 'Running 1' }).waitFor()
        expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
          'Running 1',
          'Ready 1',
          'Failed 1',
          'Waiting 2',
          'Done 1',
        ])
        expect(await page.getByText('Describe the <b>syntax</b>').isVisible()).toBe(true)
        expect(await page.getByText('No machine to try it on').isVisible()).toBe(true)
        await picture('work')
        await page.getByRole('link', { name: 'Write the parser' }).click()
        const detail = page.getByRole('article', { name: 'Write the parser' })
        await detail.getByText('Recursive descent, no generator.').waitFor()
        expect(await detail.getByRole('meter', { name: 'Progress' }).getAttribute('aria-valuetext')).toBe(
          '30 %',
        )
        expect(await detail.getByRole('link', { name: 'Write the grammar' }).isVisible()).toBe(true)
        await picture('work-task')
        for (const theme of ['light', 'dark']) {
          await page.evaluate(name => document.documentElement.setAttribute('data-theme', name), theme)
          expect(await accessibilityFaults(page)).toEqual([])
        }
        await picture('work-dark')

        await detail.getByRole('button', { name: 'Cancel task' }).click()
        await page.getByText('The tasks that depend on it are cancelled too.').waitFor()
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel task' }).click()
        await page.getByText('3 tasks cancelled.').waitFor()
        expect(stateOf(world, 'release.ship')).toBe('cancelled')
        await detail.getByRole('button', { name: 'Try again' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
        await page.getByText('3 tasks reopened.').waitFor()
        expect(stateOf(world, 'release.ship')).toBe('waiting')

        // Changes by others appear automatically.
        run('work', 'cancel', 'release.docs', '--why', 'Somebody else writes it')
        await page.getByRole('heading', { name: 'Cancelled 2' }).waitFor()
        await page.setViewportSize({ width: 320, height: 800 })
        await picture('work-small')
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
        expect(faults).toEqual([])
      },
      { before: board },
    ),
  PATIENCE_MS,
)

it(
  'shows the next step where there are no tasks',
  () =>
    inPage(async ({ page, url, faults }) => {
      await page.goto(`${url.split('#')[0]}#/work`)
      await page.getByText('No tasks yet.').waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      expect(faults).toEqual([])
    }),
  PATIENCE_MS,
)
