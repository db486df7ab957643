import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { accessibilityFaults } from './accessible.ts'
import { pasted } from './clipboard.ts'
import { inPage, type PageWorld } from './page-world.ts'

/** A browser and a dozen runs of the command line are slow on a busy machine. */
const PATIENCE_MS = 180_000

const PARSE = 'Parsing goes step by step.'
const RENDER = 'Rendering never touches the store.'
const READ = 'Reading is done in one pass.'

/** Long code about one subject, so that another subject makes another file. */
function code(subject: string): string {
  return Array.from(
    { length: 20 },
    (_, n) =>
      `export function ${subject}Step${n}(${subject}: Input) {\n  return ${subject}.part${n} + ${n}\n}\n`,
  ).join('\n')
}

/** Three entries in a git repository: one file is rewritten, one deleted, one moved. */
function drift({ root, run }: Pick<PageWorld, 'root' | 'run'>): void {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...words], {
      cwd: root,
      stdio: 'pipe',
    })
  mkdirSync(path.join(root, 'src'))
  for (const subject of ['parse', 'render', 'read'])
    writeFileSync(path.join(root, `src/${subject}.ts`), code(subject))
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  run('remember', READ, '--kind', 'decision', '--files', 'src/read.ts')
  run('remember', RENDER, '--kind', 'decision', '--files', 'src/render.ts')
  run('remember', PARSE, '--kind', 'decision', '--files', 'src/parse.ts')
  git('mv', 'src/read.ts', 'src/reader.ts')
  rmSync(path.join(root, 'src/render.ts'))
  writeFileSync(path.join(root, 'src/parse.ts'), code('analyse'))
}

const fresh = ({ run }: Pick<PageWorld, 'run'>) =>
  (
    JSON.parse(run('fresh', '--json')).entries as {
      entry: { content: string }
      freshness: { state: string }
    }[]
  ).map(({ entry, freshness }) => [entry.content, freshness.state])

it(
  'shows entries whose files changed, with the differences, and confirms, edits and deletes them',
  () =>
    inPage(
      async world => {
        const { page, url, faults, picture } = world
        await page.context().grantPermissions(['clipboard-write'])
        await page.goto(`${url.split('#')[0]}#/freshness`)
        await page.getByText('3 entries are anchored to files; 2 drifted or orphaned.').waitFor()
        const item = (text: string) =>
          page
            .getByRole('list', { name: 'Entries' })
            .getByRole('listitem')
            .filter({ has: page.getByText(text) })
        const parse = item(PARSE)
        await parse.getByText('− removed: export function parseStep0').waitFor()
        await parse.getByText('+ added: export function analyseStep0').waitFor()
        await picture('freshness')
        await page.getByRole('button', { name: 'Side by side' }).click()
        await parse.getByRole('columnheader', { name: 'Before', exact: true }).first().waitFor()
        for (const theme of ['light', 'dark']) {
          await page.evaluate(name => document.documentElement.setAttribute('data-theme', name), theme)
          expect(await accessibilityFaults(page)).toEqual([])
        }
        await picture('freshness-side-by-side-dark')
        await parse.getByRole('button', { name: 'Copy path' }).click()
        await page.getByText('Copied.').waitFor()
        expect(await pasted(page)).toBe('src/parse.ts')

        await page.getByRole('button', { name: 'Update the path' }).click()
        const dialog = page.getByRole('dialog', { name: 'New paths' })
        await dialog.getByText('src/reader.ts').waitFor()
        await picture('freshness-renames')
        expect(fresh(world)).toContainEqual([READ, 'fresh'])
        await dialog.getByRole('button', { name: 'Update 1 entry' }).click()
        await item(READ).waitFor({ state: 'detached' })
        expect(fresh(world)).toEqual([
          [PARSE, 'drifted'],
          [RENDER, 'orphaned'],
        ])
        await page.getByRole('button', { name: 'Undo' }).last().click()
        await item(READ).waitFor()

        await parse.getByRole('button', { name: 'Still true' }).click()
        await parse.waitFor({ state: 'detached' })
        expect(fresh(world)).not.toContainEqual([PARSE, 'drifted'])
        await page.getByRole('button', { name: 'Undo' }).last().click()
        await parse.waitFor()
        await item(RENDER).getByRole('button', { name: 'Delete' }).click()
        await item(RENDER).waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Undo' }).last().click()
        await item(RENDER).waitFor()
        expect(fresh(world)).toEqual([
          [PARSE, 'drifted'],
          [RENDER, 'orphaned'],
          [READ, 'fresh'],
        ])
        expect(faults).toEqual([])
      },
      { before: drift },
    ),
  PATIENCE_MS,
)

it(
  'shows unified differences on a small screen, and saves an edit',
  () =>
    inPage(
      async world => {
        const { page, url, faults, picture } = world
        await page.goto(`${url.split('#')[0]}#/freshness`)
        await page.getByText('− removed: export function parseStep0').waitFor()
        expect(await page.getByRole('button', { name: 'Side by side' }).count()).toBe(0)
        expect(await accessibilityFaults(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
        await picture('freshness-320')
        await page.getByRole('button', { name: 'Edit' }).first().click()
        const field = page.getByRole('textbox', { name: 'New text' })
        await field.fill('Analysing goes step by step.')
        await field.press('Enter')
        await page.getByText('Saved. The entry is anchored').waitFor()
        expect(fresh(world)).not.toContainEqual([PARSE, 'drifted'])
        expect(faults).toEqual([])
      },
      { width: 320, height: 640, before: drift },
    ),
  PATIENCE_MS,
)
