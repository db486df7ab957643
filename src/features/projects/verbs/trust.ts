import * as path from 'node:path'
import * as v from 'valibot'
import { composeEngine } from '../../../compose/compose.ts'
import type { ComposedCheckout } from '../../../compose/composed.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { ResolvedProject } from '../../../kernel/model/project.ts'
import { defineOperation, type OperationContext, text } from '../../../verbs/operation.ts'
import { previewMemory } from '../../setup/choose-target.ts'
import {
  dryRun,
  fromOf,
  memoryPreviewSchema,
  NOTHING_IN_IT,
  requireConsent,
  yes,
} from '../../setup/verbs/setup-fields.ts'
import type { ProjectPorts } from '../decide/ports.ts'
import { projectAt, resolveProject } from '../resolve-project.ts'
import { distrustReasonSchema } from './project-view.ts'

const folder = v.optional(text('A folder of the project (default: the current one)'))

export const trustOperation = defineOperation({
  name: 'trust',
  group: 'Set up',
  agent: 'person',
  runs: 'checkout',
  summary: 'Let agents read a memory that came with a repository',
  description:
    'A repository can contain a memory that other people wrote. Until you confirm here, or run `cairn init`, hooks and the MCP server do not show it to agents. First shows its authors, newest entries and links that lead out of it.',
  positionals: ['folder'],
  input: v.object({ folder, yes, dryRun }),
  output: v.object({
    root: v.string(),
    wasTrusted: v.boolean(),
    isTrusted: v.boolean(),
    why: distrustReasonSchema,
    look: memoryPreviewSchema,
    movedAside: v.pipe(
      v.nullable(v.string()),
      v.description('The new path of an unreadable list of projects'),
    ),
  }),
  examples: [
    { command: 'cairn trust', does: 'show its content and trust it' },
    { command: 'cairn trust ~/code/api --dry-run', does: 'only show its content' },
  ],
  async run(memory, { folder: named, yes: isYes, dryRun: isDry }, context) {
    const resolved = await projectOf(memory, named, context)
    if (resolved.standing === 'none') throw noMemory(resolved)
    const wasTrusted = resolved.standing === 'trusted'
    return within(memory, resolved.root, async at => {
      const shown = {
        root: resolved.root,
        wasTrusted,
        isTrusted: wasTrusted,
        why: resolved.why ?? null,
        look: (await previewMemory(at)) ?? NOTHING_IN_IT,
        movedAside: null,
      }
      if (isDry === true || wasTrusted) return shown
      if (isYes !== true)
        await requireConsent(context, {
          shown,
          text: 'Let agents read this memory?',
          hint: '`cairn trust --yes` confirms; --dry-run only shows its content.',
        })
      const { movedAside = null } = await at.projects.register(resolved.root, { by: 'trust' })
      return { ...shown, isTrusted: true, why: null, movedAside }
    })
  },
})

export const untrustOperation = defineOperation({
  name: 'untrust',
  group: 'Set up',
  agent: 'free',
  runs: 'checkout',
  summary: 'Stop trusting a memory: agents can no longer read it',
  description: 'The memory is not changed; `cairn trust` trusts it again.',
  positionals: ['folder'],
  input: v.object({ folder }),
  output: v.object({ root: v.string(), wasTrusted: v.boolean() }),
  examples: [{ command: 'cairn untrust', does: 'agents can no longer read it' }],
  async run(memory, { folder: named }, context) {
    const resolved = await projectOf(memory, named, context)
    if (resolved.id === undefined) {
      if (resolved.standing === 'none') throw noMemory(resolved)
      return { root: resolved.root, wasTrusted: false }
    }
    return { root: resolved.root, wasTrusted: await memory.projects.untrust(resolved.id) }
  },
})

async function projectOf(
  memory: Memory & ProjectPorts,
  named: string | undefined,
  context: OperationContext,
): Promise<ResolvedProject> {
  const from = fromOf(memory, context)
  const known = await memory.projects.read()
  if (named !== undefined) return resolveProject(path.resolve(from.folder, named), known)
  return from.isNamed ? projectAt(from.folder, known) : resolveProject(from.folder, known)
}

async function within<T>(
  memory: ComposedCheckout,
  root: string,
  work: (memory: ComposedCheckout) => Promise<T>,
): Promise<T> {
  if (root === memoryFolderOf(memory).root) return work(memory)
  const other = composeEngine({ root, actor: memory.actor })
  try {
    return await work(other)
  } finally {
    await other.close()
  }
}

function noMemory({ root }: ResolvedProject): CairnError {
  return new CairnError({
    code: 'project_not_found',
    message: `There is no memory in ${root}.`,
    hint: '`cairn init` creates one there.',
  })
}
