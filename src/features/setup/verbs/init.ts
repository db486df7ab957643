import * as v from 'valibot'
import { composeEngine } from '../../../compose/compose.ts'
import { cairnCommand } from '../../../compose/compose-install.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { exitCodeOf } from '../../../kernel/model/errors.ts'
import { HOST_IDS, HOST_TITLES, INSTALL_LEVELS } from '../../../kernel/model/host.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'
import { runGit } from '../../../kernel/system/git.ts'
import { defineOperation, flag, type OperationContext } from '../../../verbs/operation.ts'
import type { ProjectPorts } from '../../projects/decide/ports.ts'
import { changeSetting } from '../../settings/verbs/config.ts'
import type { ValidationPorts } from '../../validate/decide/ports.ts'
import { chooseTarget, type SetupTarget } from '../choose-target.ts'
import { applyInit, type InitPlan, type InitRequest, isAllInPlace, planInit } from '../init-project.ts'
import {
  changesSchema,
  dryRun,
  failuresSchema,
  fromOf,
  host,
  hostIds,
  level,
  memoryPreviewSchema,
  remarksSchema,
  requireConsent,
  setupPartsOf,
  yes,
} from './setup-fields.ts'

const projectSchema = v.object({ name: v.string(), root: v.string() })

const output = v.object({
  root: v.pipe(v.string(), v.description('The folder with the memory')),
  checkout: v.pipe(v.string(), v.description('The folder whose agents use it')),
  by: v.picklist(['folder', 'worktree', 'sharing']),
  isRepository: v.boolean(),
  memory: v.object({
    does: v.pipe(
      v.picklist(['create', 'bring_back', 'trust', 'share', 'nothing']),
      v.description(
        'create: a new one; bring_back: a forgotten one; trust: one that came with the checkout; share: the one of another clone',
      ),
    ),
    look: v.pipe(v.nullable(memoryPreviewSchema), v.description('Its content; null: there is no memory yet')),
    forgotten: v.pipe(
      v.nullable(v.object({ folder: v.string(), root: v.string(), at: v.string(), entries: v.number() })),
      v.description('A forgotten memory of this folder, which --bring-back restores'),
    ),
  }),
  shares: v.pipe(v.nullable(projectSchema), v.description('The project whose memory it uses')),
  cloneOf: v.pipe(
    v.nullable(projectSchema),
    v.description('A known project with the same origin and a separate memory'),
  ),
  level: v.picklist(INSTALL_LEVELS),
  hosts: v.pipe(
    v.array(
      v.object({
        host: v.picklist(HOST_IDS),
        title: v.string(),
        found: v.boolean(),
        evidence: v.pipe(v.array(v.string()), v.readonly()),
        does: v.picklist(['install', 'in_place', 'not_found', 'skipped', 'failed']),
        ownMemory: v.nullable(v.object({ name: v.string(), isOn: v.boolean(), where: v.string() })),
      }),
    ),
    v.readonly(),
  ),
  changes: changesSchema,
  remarks: remarksSchema,
  failures: failuresSchema,
  isInPlace: v.pipe(v.boolean(), v.description('True: no change was needed')),
  isDone: v.pipe(v.boolean(), v.description('False: dry run')),
  changed: v.pipe(v.array(v.string()), v.readonly()),
  movedAside: v.pipe(v.nullable(v.string()), v.description('The new path of an unreadable list of projects')),
})
type Output = v.InferOutput<typeof output>

export const initOperation = defineOperation({
  name: 'init',
  group: 'Set up',
  agent: 'free',
  runs: 'checkout',
  summary: 'Create a memory for this project and connect the coding agents on this machine',
  description:
    'Detects Claude Code, Codex, Gemini CLI, OpenCode, GitHub Copilot CLI and Cursor, shows every file that would change, asks once, and writes .memory/, hooks, the MCP server, slash commands, the block in AGENTS.md and the merge driver. Agents can then read this project, and no project that you did not initialise or trust. Safe to repeat. `cairn uninstall` removes all of it.',
  positionals: [],
  input: v.object({
    host,
    level: level(
      'user (default): once, for all projects that you initialise; project: in the files of this project',
    ),
    yes,
    dryRun,
    diff: v.optional(flag('Show the changed lines of every file')),
    own: v.optional(flag('In a worktree or another clone: create a separate memory')),
    share: v.optional(flag('In another clone of one of your projects: use its memory')),
    bringBack: v.optional(flag('Restore the memory that `uninstall --forget-memory` moved away')),
    entryBlock: v.optional(flag('The block in AGENTS.md (default); --no-entry-block skips it')),
    mergeDriver: v.optional(flag('The merge driver (default); --no-merge-driver skips it')),
    commands: v.optional(flag('Slash commands and skills (default); --no-commands skips them')),
    switchOffAutoMemory: v.optional(flag('Also switch off the built-in memory of Claude Code')),
    agentSaves: v.optional(
      v.pipe(
        v.picklist(['off', 'next', 'stop'], 'off, next or stop'),
        v.description(
          'Whether agents are asked once a session what they learned: with the next prompt (next, the default), with one extra turn (stop), or never (off)',
        ),
      ),
    ),
  }),
  output,
  examples: [
    { command: 'cairn init', does: 'show the changes, ask, and set up' },
    { command: 'cairn init --dry-run --diff', does: 'only show the changes, with their lines' },
    { command: 'cairn init --host claude-code,codex --yes', does: 'set up only these two, without asking' },
    { command: 'cairn init --root packages/api', does: 'a part of a monorepo with its own memory' },
  ],
  exitCode: ({ failures: [first] }) => (first === undefined ? 0 : exitCodeOf(first.code)),
  async run(opened, input, context) {
    const request: InitRequest = {
      hosts: hostIds(input.host),
      level: input.level ?? 'user',
      entryBlock: input.entryBlock ?? true,
      mergeDriver: input.mergeDriver ?? true,
      commands: input.commands ?? true,
      bringBack: input.bringBack ?? false,
      diff: input.diff ?? false,
      switchOffAutoMemory: input.switchOffAutoMemory ?? false,
    }
    const target = chooseTarget(fromOf(opened, context), await opened.projects.read(), runGit, {
      own: input.own ?? false,
      share: input.share ?? false,
    })
    return at(opened, target, async memory => {
      const parts = await setupPartsOf(memory, target.checkout)
      const first = await planInit(parts, target, request)
      const shown = answer(first, request)
      if (input.dryRun === true) return shown
      const saving = async () => {
        if (input.agentSaves === undefined) return []
        const { isChanged } = await changeSetting(memory, 'agentSaves', input.agentSaves)
        return isChanged ? [`${memoryFolderOf(memory).root}/.memory/config.json`] : []
      }
      if (isAllInPlace(first)) {
        const changed = await saving()
        return { ...shown, isInPlace: changed.length === 0, isDone: changed.length > 0, changed }
      }
      if (input.yes !== true)
        await requireConsent(context, {
          shown,
          text: 'Apply these changes?',
          hint: '`cairn init --yes` applies them; --dry-run only shows them.',
        })
      const plan = await withoutAutoMemory(first, request, context, asked => planInit(parts, target, asked))
      const { changed, failures, movedAside } = await applyInit(parts, plan)
      return {
        ...answer(plan, request),
        isDone: true,
        changed: [...changed, ...(await saving())],
        failures,
        movedAside,
      }
    })
  },
})

/** The built-in memory of a host needs a separate confirmation and is not changed otherwise. */
async function withoutAutoMemory(
  plan: InitPlan,
  request: InitRequest,
  { ask }: OperationContext,
  again: (request: InitRequest) => Promise<InitPlan>,
): Promise<InitPlan> {
  const own = plan.hosts.find(({ does, ownMemory }) => does === 'install' && ownMemory?.isOn === true)
  if (own?.ownMemory == null || ask === undefined || request.switchOffAutoMemory) return plan
  const isYes = await ask({
    text: `${HOST_TITLES[own.host]} has a built-in memory (${own.ownMemory.name}). Switch it off, so that only one is used?`,
    isYesByDefault: false,
    hint: '--switch-off-auto-memory confirms it.',
  })
  return isYes ? again({ ...request, switchOffAutoMemory: true }) : plan
}

/** The memory that is already open, or a new one for the target folder. */
async function at(
  opened: Memory & ValidationPorts & ProjectPorts,
  target: SetupTarget,
  work: (memory: Memory & ValidationPorts & ProjectPorts) => Promise<Output>,
): Promise<Output> {
  if (target.root === memoryFolderOf(opened).root) return work(opened)
  const memory = composeEngine({ root: target.root, actor: opened.actor, isTyped: true })
  try {
    return await work(memory)
  } finally {
    await memory.close()
  }
}

function answer(plan: InitPlan, { level }: InitRequest): Output {
  const { target } = plan
  const named = (project: SetupTarget['shares']) =>
    project === undefined ? null : { name: project.name, root: project.root }
  return {
    root: target.root,
    checkout: target.checkout,
    by: target.shares === undefined ? target.resolved.by : 'sharing',
    isRepository: target.top !== undefined,
    memory: { does: plan.memory.does, look: plan.memory.look, forgotten: plan.memory.forgotten },
    shares: named(target.shares),
    cloneOf: named(target.cloneOf),
    level,
    hosts: plan.hosts.map(planned => ({ ...planned, title: HOST_TITLES[planned.host] })),
    changes: plan.changes,
    remarks: [...plan.remarks, ...ownRemarks()],
    failures: plan.failures,
    isInPlace: isAllInPlace(plan),
    isDone: false,
    changed: [],
    movedAside: null,
  }
}

/** `npx` runs packages from a cache that is cleared sometimes: a path into it, stored in a host's file, would stop working. */
function ownRemarks(): Output['remarks'] {
  const command = cairnCommand(nodeDisk)
  if (command.kind === 'on-path' || !/[\\/]_npx[\\/]/.test(command.script)) return []
  return [
    {
      kind: 'to-do',
      message:
        'This Cairn runs from the cache of npx, which is cleared from time to time. Hosts would no longer find it.',
      hint: 'Install it (npm install --global cairn-memory) and run `cairn init` again.',
    },
  ]
}
