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
import { applyInit } from '../apply-init.ts'
import { chooseTarget, type SetupTarget } from '../choose-target.ts'
import { type InitPlan, type InitRequest, isAllInPlace, planInit } from '../plan-init.ts'
import {
  changesSchema,
  dryRun,
  failuresSchema,
  fromOf,
  host,
  hostIds,
  level,
  lookSchema,
  needYes,
  remarksSchema,
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
        'create: there is none; bring_back: one that was put away; trust: it came with the checkout; share: that of another clone',
      ),
    ),
    look: v.pipe(v.nullable(lookSchema), v.description('What is in it; null: there is none yet')),
    forgotten: v.pipe(
      v.nullable(v.object({ folder: v.string(), root: v.string(), at: v.string(), entries: v.number() })),
      v.description('One that was put away from here, which --bring-back takes'),
    ),
  }),
  shares: v.pipe(v.nullable(projectSchema), v.description('The project whose memory it uses')),
  cloneOf: v.pipe(v.nullable(projectSchema), v.description('A known project that it is kept apart from')),
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
  isInPlace: v.pipe(v.boolean(), v.description('There was nothing to do')),
  isDone: v.pipe(v.boolean(), v.description('False: only shown')),
  changed: v.pipe(v.array(v.string()), v.readonly()),
  movedAside: v.pipe(
    v.nullable(v.string()),
    v.description('Where the list of projects was put that could not be read'),
  ),
})
type Output = v.InferOutput<typeof output>

export const initOperation = defineOperation({
  name: 'init',
  group: 'Set up',
  agent: 'free',
  runs: 'checkout',
  summary: 'Give this project a memory, and connect the coding agents on this machine',
  description:
    'Looks for Claude Code, Codex, Gemini CLI, OpenCode, GitHub Copilot CLI and Cursor, shows every file that would change, asks once, and writes: .memory/, hooks, the MCP server, slash commands, the block in AGENTS.md, the merge driver. Agents are told of this project from then on, and of no other that you did not initialise or trust. Safe to repeat. `cairn uninstall` takes all of it back.',
  positionals: [],
  input: v.object({
    host,
    level: level(
      'user (default): once for all projects that you initialise; project: into the files of this one',
    ),
    yes,
    dryRun,
    diff: v.optional(flag('With every file, show the lines that change')),
    own: v.optional(flag('In a worktree or another clone: a memory of its own')),
    share: v.optional(flag('In another clone of a project that you have here: its memory')),
    bringBack: v.optional(flag('The memory that `uninstall --forget-memory` put away')),
    entryBlock: v.optional(flag('The block in AGENTS.md (default); --no-entry-block leaves it out')),
    mergeDriver: v.optional(flag('The merge driver (default); --no-merge-driver leaves it out')),
    commands: v.optional(flag('Slash commands and skills (default); --no-commands leaves them out')),
    switchOffAutoMemory: v.optional(flag('Also switch off the memory that Claude Code keeps by itself')),
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
    { command: 'cairn init', does: 'look, show, ask, and set up' },
    { command: 'cairn init --dry-run --diff', does: 'only look, with the lines that would change' },
    { command: 'cairn init --host claude-code,codex --yes', does: 'only these two, without asking' },
    { command: 'cairn init --root packages/api', does: 'a part of a monorepo with a memory of its own' },
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
        await needYes(context, {
          shown,
          text: 'Go ahead?',
          hint: '`cairn init --yes` does what is shown; --dry-run only shows it.',
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

/** The memory that a host keeps by itself is asked about separately, and stays as it is unless somebody says otherwise. */
async function withoutAutoMemory(
  plan: InitPlan,
  request: InitRequest,
  { ask }: OperationContext,
  again: (request: InitRequest) => Promise<InitPlan>,
): Promise<InitPlan> {
  const own = plan.hosts.find(({ does, ownMemory }) => does === 'install' && ownMemory?.isOn === true)
  if (own?.ownMemory == null || ask === undefined || request.switchOffAutoMemory) return plan
  const isYes = await ask({
    text: `${HOST_TITLES[own.host]} keeps a memory of its own (${own.ownMemory.name}). Switch that off, so that there is one?`,
    isYesByDefault: false,
    hint: '--switch-off-auto-memory says so.',
  })
  return isYes ? again({ ...request, switchOffAutoMemory: true }) : plan
}

/** The engine that was opened, or one for the folder that is meant instead. */
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

/** `npx` keeps what it runs in a cache that is cleared: a host that was told its place would find nothing there one day. */
function ownRemarks(): Output['remarks'] {
  const command = cairnCommand(nodeDisk)
  if (command.kind === 'on-path' || !/[\\/]_npx[\\/]/.test(command.script)) return []
  return [
    {
      kind: 'to-do',
      message: 'This Cairn runs from the cache of npx, which is cleared now and then: hosts would lose it.',
      hint: 'Install it (npm install --global cairn-memory) and run `cairn init` again.',
    },
  ]
}
