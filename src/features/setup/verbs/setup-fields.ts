import * as v from 'valibot'
import { composeInstall } from '../../../compose/compose-install.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { HOST_IDS, type HostId, INSTALL_LEVELS, isHostId } from '../../../kernel/model/host.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'
import { runGit } from '../../../kernel/system/git.ts'
import { flag, list, type OperationContext } from '../../../verbs/operation.ts'
import type { ProjectPorts } from '../../projects/decide/ports.ts'
import type { ValidationPorts } from '../../validate/decide/ports.ts'
import type { From, MemoryPreview } from '../choose-target.ts'
import type { SetupParts } from '../host-changes.ts'

export const yes = v.optional(flag('Do not ask'))
export const dryRun = v.optional(flag('Show the changes without making them'))
export const host = v.optional(list(`Only these hosts: ${HOST_IDS.join(', ')}`))
export const level = (description: string) =>
  v.optional(
    v.pipe(v.picklist(INSTALL_LEVELS, `one of ${INSTALL_LEVELS.join(', ')}`), v.description(description)),
  )

export const changesSchema = v.pipe(
  v.array(
    v.object({
      path: v.pipe(v.string(), v.description('Absolute; a setting of git by its name')),
      change: v.picklist(['create', 'edit', 'remove']),
      what: v.pipe(v.array(v.string()), v.readonly()),
      host: v.exactOptional(v.picklist(HOST_IDS)),
      level: v.exactOptional(v.picklist(INSTALL_LEVELS)),
      diff: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
    }),
  ),
  v.readonly(),
)

export const remarksSchema = v.pipe(
  v.array(
    v.object({
      host: v.exactOptional(v.picklist(HOST_IDS)),
      kind: v.picklist(['to-do', 'left', 'limit', 'refused']),
      message: v.string(),
      hint: v.string(),
    }),
  ),
  v.readonly(),
  v.description('Remaining tasks and information for the user'),
)

export const failuresSchema = v.pipe(
  v.array(
    v.object({
      host: v.exactOptional(v.picklist(HOST_IDS)),
      code: v.string(),
      message: v.string(),
      hint: v.string(),
    }),
  ),
  v.readonly(),
  v.description('Parts that failed; the others were done. The first one sets the exit code'),
)

export const memoryPreviewSchema = v.object({
  entries: v.number(),
  agents: v.pipe(v.array(v.object({ agent: v.string(), entries: v.number() })), v.readonly()),
  newest: v.pipe(
    v.array(v.object({ agent: v.string(), date: v.string(), kind: v.string(), text: v.string() })),
    v.readonly(),
  ),
  linksOut: v.pipe(
    v.array(v.string()),
    v.readonly(),
    v.description('Links that lead out of it, which are not followed'),
  ),
  unread: v.pipe(v.array(v.string()), v.readonly(), v.description('Files that could not be read')),
})

export const NOTHING_IN_IT: MemoryPreview = { entries: 0, agents: [], newest: [], linksOut: [], unread: [] }

/** Throws `host_unknown`. */
export function hostIds(names: readonly string[] | undefined): readonly HostId[] | undefined {
  return names?.map(name => {
    if (isHostId(name)) return name
    throw new CairnError({
      code: 'host_unknown',
      message: `There is no host "${name.slice(0, 40)}".`,
      hint: `Known hosts: ${HOST_IDS.join(', ')}.`,
    })
  })
}

export function fromOf(memory: Memory, { from }: OperationContext): From {
  return from ?? { folder: memoryFolderOf(memory).root, isNamed: true }
}

/** `checkout`: the folder for the parts at project level. */
export async function setupPartsOf(
  memory: Memory & ValidationPorts & ProjectPorts,
  checkout: string,
): Promise<SetupParts> {
  return {
    engine: memory,
    installing: await composeInstall({ project: checkout }),
    driver: {
      disk: nodeDisk,
      git: runGit,
      memory: memoryFolderOf(memory).memory,
      root: memoryFolderOf(memory).root,
      program: { node: process.execPath, script: process.argv[1] ?? '' },
    },
  }
}

/** Asks the user. Throws `not_confirmed` if there is no user or the answer is no. */
export async function requireConsent(
  { ask }: OperationContext,
  question: { readonly text: string; readonly hint: string; readonly shown: unknown },
): Promise<void> {
  const isYes = await ask?.({ ...question, isYesByDefault: true })
  if (isYes === true) return
  throw new CairnError({
    code: 'not_confirmed',
    message: ask === undefined ? 'Nothing was changed: this needs confirmation.' : 'Nothing was changed.',
    hint: question.hint,
    ...(ask === undefined && { details: { plan: question.shown } }),
  })
}
