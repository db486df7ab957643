import * as v from 'valibot'
import { composeEngine } from '../../../compose/compose.ts'
import type { ComposedCheckout } from '../../../compose/composed.ts'
import { exitCodeOf } from '../../../kernel/model/errors.ts'
import type { ResolvedProject } from '../../../kernel/model/project.ts'
import { userFolder } from '../../../kernel/system/user-folder.ts'
import { defineOperation, flag } from '../../../verbs/operation.ts'
import type { ProjectPorts } from '../../projects/decide/ports.ts'
import { projectAt, resolveProject } from '../../projects/resolve-project.ts'
import {
  applyUninstall,
  planUninstall,
  tidyUserFolder,
  type UninstallPlan,
  type UninstallRequest,
} from '../plan-uninstall.ts'
import {
  changesSchema,
  dryRun,
  failuresSchema,
  fromOf,
  host,
  hostIds,
  level,
  needYes,
  remarksSchema,
  setupPartsOf,
  yes,
} from './setup-fields.ts'

const output = v.object({
  root: v.pipe(v.string(), v.description('The folder with the memory')),
  checkout: v.pipe(v.string(), v.description('The folder whose agents use it')),
  isEverything: v.boolean(),
  changes: changesSchema,
  keptFor: v.pipe(
    v.array(v.string()),
    v.readonly(),
    v.description('Other projects that you trust: for their sake the pieces at user level stay'),
  ),
  forgets: v.pipe(v.number(), v.description('Projects that are no longer known and trusted')),
  memory: v.pipe(
    v.nullable(
      v.object({
        root: v.string(),
        entries: v.number(),
        does: v.picklist(['stays', 'put_away']),
        putIn: v.pipe(v.nullable(v.string()), v.description('Where it was put')),
      }),
    ),
    v.description('null: there is none'),
  ),
  left: v.pipe(
    v.nullable(v.array(v.string())),
    v.description('What is in the folder of this user still; null: it was not tidied, or is gone'),
  ),
  remarks: remarksSchema,
  failures: failuresSchema,
  isNothing: v.pipe(v.boolean(), v.description('There was nothing to take away')),
  isDone: v.pipe(v.boolean(), v.description('False: only shown')),
  changed: v.pipe(v.array(v.string()), v.readonly()),
})
type Output = v.InferOutput<typeof output>

export const uninstallOperation = defineOperation({
  name: 'uninstall',
  group: 'Set up',
  agent: 'free',
  runs: 'checkout',
  summary: 'Take back what `cairn init` wrote; the memory stays',
  description:
    'Every file of a host is as it was before, byte for byte, where nobody changed it since; where somebody did, only what is ours goes. In a project: its pieces, and those at user level when no other project that you trust is left. The memory stays in .memory/ unless --forget-memory is given, which puts it away in ~/.cairn/forgotten/.',
  positionals: [],
  input: v.object({
    host,
    level: level('Only the pieces at this level'),
    everything: v.optional(flag('Out of every project and host')),
    forgetMemory: v.optional(flag('Also put the memory of this project away')),
    yes,
    dryRun,
  }),
  output,
  examples: [
    { command: 'cairn uninstall --dry-run', does: 'see what would go' },
    { command: 'cairn uninstall', does: 'out of this project' },
    { command: 'cairn uninstall --everything', does: 'out of every project and every host' },
    { command: 'cairn uninstall --host codex', does: 'only out of Codex' },
  ],
  exitCode: ({ failures: [first] }) => (first === undefined ? 0 : exitCodeOf(first.code)),
  async run(memory, input, context) {
    const from = fromOf(memory, context)
    const known = await memory.projects.read()
    const resolved = from.isNamed ? projectAt(from.folder, known) : resolveProject(from.folder, known)
    const request: UninstallRequest = {
      hosts: hostIds(input.host),
      level: input.level,
      everything: input.everything ?? false,
      forgetMemory: input.forgetMemory ?? false,
    }
    const opened: ComposedCheckout[] = []
    const open = (root: string) => {
      const one = composeEngine({ root, actor: memory.actor })
      opened.push(one)
      return one
    }
    try {
      const parts = await setupPartsOf(open(resolved.root), resolved.checkout)
      const plan = await planUninstall(parts, {
        resolved,
        known,
        request,
        others: project => setupPartsOf(open(project.root), project.root),
      })
      const shown = answer(plan, request, resolved)
      if (input.dryRun === true) return shown
      const isTidy = request.everything
      if (shown.isNothing && !isTidy) return shown
      if (input.yes !== true) {
        await needYes(context, {
          shown,
          text: 'Take all this back?',
          hint: '`cairn uninstall --yes` does what is shown; --dry-run only shows it.',
        })
        if (plan.memory?.does === 'put_away')
          await needYes(context, {
            shown: undefined,
            text: `Put the memory with its ${plan.memory.entries} entries away?`,
            hint: 'Without --forget-memory it stays where it is.',
          })
      }
      const { changed, failures, forgotten } = await applyUninstall(parts, plan)
      for (const one of opened.splice(0)) await one.close()
      const left = await tidied(memory, request.everything)
      return {
        ...shown,
        isDone: true,
        changed,
        failures,
        memory: shown.memory && { ...shown.memory, putIn: forgotten?.folder ?? null },
        left,
      }
    } finally {
      for (const one of opened) await one.close()
    }
  },
})

/** With the last project the list of projects goes. */
async function tidied({ projects }: ProjectPorts, isEverything: boolean): Promise<string[] | null> {
  const known = await projects.read()
  if (known === 'damaged' || known.projects.length > 0) return null
  return [...(tidyUserFolder(userFolder(), isEverything) ?? [])]
}

function answer(
  plan: UninstallPlan,
  { everything }: UninstallRequest,
  { root, checkout }: ResolvedProject,
): Output {
  const forgets = plan.forgets.length + (plan.unshares === null ? 0 : 1)
  return {
    root,
    checkout,
    isEverything: everything,
    changes: plan.changes,
    keptFor: plan.keptFor,
    forgets,
    memory: plan.memory && { ...plan.memory, putIn: null },
    left: null,
    remarks: plan.remarks,
    failures: plan.failures,
    isNothing: plan.changes.length === 0 && forgets === 0 && plan.failures.length === 0,
    isDone: false,
    changed: [],
  }
}
