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
} from '../uninstall-project.ts'
import {
  changesSchema,
  dryRun,
  failuresSchema,
  fromOf,
  host,
  hostIds,
  level,
  remarksSchema,
  requireConsent,
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
    v.description('Other projects that you trust, which still need the user-level parts'),
  ),
  forgets: v.pipe(v.number(), v.description('How many projects are removed from the list')),
  memory: v.pipe(
    v.nullable(
      v.object({
        root: v.string(),
        entries: v.number(),
        does: v.picklist(['stays', 'put_away']),
        putIn: v.pipe(v.nullable(v.string()), v.description('The new path')),
      }),
    ),
    v.description('null: there is no memory'),
  ),
  left: v.pipe(
    v.nullable(v.array(v.string())),
    v.description('Remaining files in ~/.cairn; null: it was not cleaned up, or was removed'),
  ),
  remarks: remarksSchema,
  failures: failuresSchema,
  isNothing: v.pipe(v.boolean(), v.description('True: there was nothing to remove')),
  isDone: v.pipe(v.boolean(), v.description('False: dry run')),
  changed: v.pipe(v.array(v.string()), v.readonly()),
})
type Output = v.InferOutput<typeof output>

export const uninstallOperation = defineOperation({
  name: 'uninstall',
  group: 'Set up',
  agent: 'free',
  runs: 'checkout',
  summary: 'Remove what `cairn init` wrote; the memory stays',
  description:
    'Restores every file of a host byte for byte if it has not changed since; otherwise removes only our parts. In a project: removes its parts, and the user-level parts if you trust no other project. The memory stays in .memory/ unless you give --forget-memory, which moves it to ~/.cairn/forgotten/.',
  positionals: [],
  input: v.object({
    host,
    level: level('Only the parts at this level'),
    everything: v.optional(flag('Remove Cairn from every project and host')),
    forgetMemory: v.optional(flag('Also move the memory of this project to ~/.cairn/forgotten/')),
    yes,
    dryRun,
  }),
  output,
  examples: [
    { command: 'cairn uninstall --dry-run', does: 'show what would be removed' },
    { command: 'cairn uninstall', does: 'remove it from this project' },
    { command: 'cairn uninstall --everything', does: 'remove it from every project and every host' },
    { command: 'cairn uninstall --host codex', does: 'remove it only from Codex' },
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
        await requireConsent(context, {
          shown,
          text: 'Remove all this?',
          hint: '`cairn uninstall --yes` removes it; --dry-run only shows it.',
        })
        if (plan.memory?.does === 'put_away')
          await requireConsent(context, {
            shown: undefined,
            text: `Move the memory with its ${plan.memory.entries} entries to ~/.cairn/forgotten/?`,
            hint: 'Without --forget-memory it is not changed.',
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

/** The list of projects is removed with the last project. */
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
