/** What `status`, `validate` and `review` say of the places around a memory: git, the entry block, rule files, loose text. */

import { execFileSync } from 'node:child_process'
import { rmSync, utimesSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { hotInitOperation, hotLintOperation } from '../src/addons/rules/verbs/hot.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { reviewOperation } from '../src/features/review/verbs/review.ts'
import { removeEntryBlock, writeEntryBlock } from '../src/features/state/entry-blocks.ts'
import { statusOperation } from '../src/features/status/verbs/status.ts'
import { validateOperation } from '../src/features/validate/verbs/validate.ts'
import { DAY_MS, NOW_MS, openAt } from './support/aged-vault.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

const status = async (engine: ComposedCheckout) => {
  const { problems, health } = await statusOperation.run(engine, {}, {})
  return { problems: problems.map(({ code, path: at }) => `${code} ${at}`), health }
}
const findingsOf = async (engine: ComposedCheckout) => {
  const report = await validateOperation.run(engine, {}, {})
  if (!('findings' in report)) throw new Error('validate answers with a report')
  return report.findings
}
const found = async (engine: ComposedCheckout) =>
  (await findingsOf(engine)).map(({ code, path: at }) => `${code} ${at}`)

async function inMemory(
  work: (engine: ComposedCheckout, root: string) => Promise<void>,
  root = scratchProject(),
) {
  const engine = openAt(root)
  try {
    await remember(engine, [{ content: 'The exporter retries twice.' }])
    await work(engine, root)
  } finally {
    await engine.close()
  }
}

describe('the entry block', () => {
  const MISSING = 'entry_block_missing AGENTS.md'

  it('that was written and is gone is missed, with the way to write it again', () =>
    inMemory(async (engine, root) => {
      expect([(await status(engine)).problems, await found(engine)]).toEqual([[], []])
      await writeEntryBlock(engine, {})
      expect([(await status(engine)).problems, await found(engine)]).toEqual([[], []])
      rmSync(path.join(root, 'AGENTS.md'))
      expect(await status(engine)).toMatchObject({
        problems: [MISSING],
        health: { state: 'attention', reasons: ['the entry block is missing'] },
      })
      expect(await found(engine)).toEqual([MISSING])
      // Also where a generator wrote the file anew.
      writeIn(root, 'AGENTS.md', '# Agents\n')
      expect([(await status(engine)).problems, await found(engine)]).toEqual([[MISSING], [MISSING]])
      await writeEntryBlock(engine, {})
      expect([(await status(engine)).problems, await found(engine)]).toEqual([[], []])
    }))

  it('that was removed with its own verb, or never written, is not missed', () =>
    inMemory(async (engine, root) => {
      writeIn(root, 'AGENTS.md', '# Agents\n')
      await writeEntryBlock(engine, {})
      await removeEntryBlock(engine, {})
      expect(readIn(root, 'AGENTS.md')).toBe('# Agents\n')
      expect([(await status(engine)).problems, await found(engine)]).toEqual([[], []])
    }))
})

describe('local parts that git would take', () => {
  it('are named by status in a checkout, until the lines are there', () =>
    inMemory(async (engine, root) => {
      writeIn(root, '.memory/.gitignore', readIn(root, '.memory/.gitignore').replace('.vault/\n', ''))
      expect((await status(engine)).problems).toEqual([])
      execFileSync('git', ['init', '-q'], { cwd: root })
      expect(await status(engine)).toMatchObject({
        problems: ['memory_not_ignored .gitignore'],
        health: { state: 'attention', reasons: ['git does not ignore all local parts'] },
      })
      expect(await found(engine)).toEqual(['gitignore_incomplete .memory/.gitignore'])
      await validateOperation.run(engine, { fix: true }, {})
      expect((await status(engine)).problems).toEqual([])
    }))
})

it('a checkout without a memory has nothing to ignore', async () => {
  const root = scratchProject()
  execFileSync('git', ['init', '-q'], { cwd: root })
  const engine = openAt(root)
  expect((await status(engine)).problems).toEqual([])
  await engine.close()
})

describe('rule files', () => {
  const RULES = 'agent/rules/common'

  it('over their budget are told by status and by the review of what is stale', () =>
    inMemory(async (engine, root) => {
      writeIn(root, `${RULES}/long.md`, `<!-- budget: 3 lines -->\n- One.\n- Two.\n- Three.\n`)
      expect(await status(engine)).toMatchObject({
        problems: [`rules_over_budget ${RULES}/long.md`],
        health: { state: 'attention', reasons: ['rule files are over their budget'] },
      })
      expect(await found(engine)).toEqual([`rules_over_budget ${RULES}/long.md`])
      const { stale } = await reviewOperation.run(engine, { stale: true }, {})
      expect(stale?.problems).toMatchObject([{ code: 'rules_over_budget', path: `${RULES}/long.md` }])
    }))

  it('that nobody changed for a quarter of a year are due for a review, until they are saved again', () =>
    inMemory(async (engine, root) => {
      await hotInitOperation.run(engine, {}, {})
      const file = path.join(root, RULES, 'user-profile.md')
      for (const name of ['user-profile.md', 'global-conventions.md', 'workspace-workflow.md'])
        utimesSync(path.join(root, RULES, name), NOW_MS / 1000, NOW_MS / 1000)
      const due = async () => {
        const { findings, passed } = await hotLintOperation.run(engine, {}, {})
        expect(passed).toBe(true)
        return findings.filter(({ code }) => code === 'review_due').map(({ message }) => message)
      }
      expect(await due()).toEqual([])
      const seconds = (NOW_MS - 120 * DAY_MS) / 1000
      utimesSync(file, seconds, seconds)
      expect(await due()).toEqual([`${RULES}/user-profile.md was last changed 120 days ago.`])
      const { stale } = await reviewOperation.run(engine, { stale: true }, {})
      expect(stale?.problems).toMatchObject([{ code: 'review_due', path: `${RULES}/user-profile.md` }])
      expect((await status(engine)).problems).toEqual([])
    }))
})

it('text in a vault file that no entry has is named with its line', () =>
  inMemory(async (engine, root) => {
    const file = '.memory/dev/decisions.md'
    writeIn(
      root,
      file,
      '## 2026-03-16T16:51 · #auth\n\nUse JWT.\n\n---\n\nA stray paragraph that nobody reads.\n',
    )
    const { problems } = await statusOperation.run(engine, {}, {})
    expect(problems).toMatchObject([{ path: 'dev/decisions.md', line: 7 }])
    expect(await findingsOf(engine)).toMatchObject([{ path: file, line: 7 }])
  }))
