import { cpSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { hotInitOperation, hotLinkOperation, hotUnlinkOperation } from '../../src/addons/rules/verbs/hot.ts'
import { hotDemoteOperation } from '../../src/addons/rules/verbs/hot-move.ts'
import { saveSkill } from '../../src/addons/skills/skills.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import type { ComposedCheckout } from '../../src/compose/composed.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { scratchProject } from '../support/scratch-project.ts'

const FILES = {
  'agent/rules/common/a.md': '<!-- budget: 9 lines -->\n- Use pnpm.\n',
  '.claude/settings.json': '{}\n',
  '.cursor/rules/own.mdc': 'Own.\n',
}

/** Every file and link outside of the memory; what a later process has to finish is finished first. */
async function seen(root: string): Promise<Record<string, string>> {
  const engine = composeEngine({ root })
  await engine.store.listEntries({ filter: {}, limit: 1, offset: 0 })
  await engine.store.write(engine.actor, async () => null)
  await engine.close()
  const found: Record<string, string> = {}
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.startsWith('.memory')) continue
    const stat = lstatSync(path.join(root, name))
    if (stat.isSymbolicLink()) found[name] = `-> ${readlinkSync(path.join(root, name))}`
    else if (stat.isFile()) found[name] = readFileSync(path.join(root, name), 'utf8')
  }
  return found
}

const SKILL = { name: 'release', description: 'Release it.', body: 'Steps.' }
const link = (engine: ComposedCheckout) => hotLinkOperation.run(engine, {}, {})
const CASES: readonly {
  readonly name: string
  readonly prepare?: (engine: ComposedCheckout) => Promise<unknown>
  readonly act: (engine: ComposedCheckout) => Promise<unknown>
}[] = [
  { name: 'files are laid out', act: engine => hotInitOperation.run(engine, {}, {}) },
  { name: 'rules are linked and copied', act: link },
  { name: 'they are unlinked', prepare: link, act: engine => hotUnlinkOperation.run(engine, {}, {}) },
  { name: 'a rule is demoted', act: engine => hotDemoteOperation.run(engine, { rule: 'pnpm' }, {}) },
  { name: 'a skill is saved', act: engine => saveSkill(engine, SKILL) },
]

describe.each(CASES)('when a disk step fails while $name', ({ prepare, act }) => {
  it.each([
    ['once', false],
    ['and every step after it', true],
  ])('%s, each place holds the old or the new, and doing it again finishes', async (_name, forGood) => {
    const original = scratchProject(FILES)
    const preparing = composeEngine({ root: original })
    await preparing.store.exclusively(() => undefined)
    await prepare?.(preparing)
    await preparing.close()
    const before = await seen(original)
    const copyOf = () => {
      const root = scratchProject()
      cpSync(original, root, { recursive: true, verbatimSymlinks: true })
      return root
    }
    const succeeded = copyOf()
    const whole = failingDisk(Number.POSITIVE_INFINITY, { forGood })
    const engine = composeEngine({ root: succeeded, disk: whole.disk })
    await act(engine)
    await engine.close()
    const after = await seen(succeeded)
    expect(after).not.toEqual(before)

    for (let step = 1; step <= whole.steps(); step++) {
      const root = copyOf()
      const failing = composeEngine({ root, disk: failingDisk(step, { forGood }).disk })
      const outcome = await act(failing).then(
        () => 'done',
        (error: Error) => error.name,
      )
      await failing.close().catch(() => undefined)
      // A dead process says nothing well-formed any more.
      expect(['done', 'CairnError', ...(forGood ? ['Error'] : [])]).toContain(outcome)
      const now = await seen(root)
      for (const name of new Set([...Object.keys(before), ...Object.keys(now), ...Object.keys(after)])) {
        // A temporary file of a process that died takes nobody's place.
        if (name.endsWith('.cairn-tmp')) continue
        expect([before[name], after[name]], `${name} at step ${step}`).toContain(now[name])
      }
      const again = composeEngine({ root })
      // What is done already may refuse to be done twice.
      await act(again).catch((error: Error) => expect(error.name).toBe('CairnError'))
      await again.close()
      const finished = await seen(root)
      for (const name of Object.keys(finished)) if (name.endsWith('.cairn-tmp')) delete finished[name]
      expect(finished, `step ${step}`).toEqual(after)
    }
  })
})
