import * as v from 'valibot'
import type { SyncPorts } from '../../../addons/link/decide/ports.ts'
import { injectedSecrets } from '../../../addons/rules/injected-secrets.ts'
import type { WorkPorts } from '../../../addons/work/decide/work-board.ts'
import { type ComposedCheckout, isCheckout } from '../../../compose/composed.ts'
import type { HookPorts } from '../../../hosts/hooks/decide/ports.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import type { Config } from '../../../kernel/model/config.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Degradation, Problem } from '../../../kernel/model/search.ts'
import { asStorageError, errnoOf } from '../../../kernel/system/disk.ts'
import { generatorVersion } from '../../../kernel/system/package-facts.ts'
import { redactionOptions } from '../../../kernel/text/redaction/redaction-options.ts'
import { defineOperation, flag, type OperationContext } from '../../../verbs/operation.ts'
import type { AskPorts } from '../../agent-saves/decide/ports.ts'
import type { ConflictPorts } from '../../conflicts/decide/ports.ts'
import type { ClosingPorts, LearningPorts } from '../../learning/decide/ports.ts'
import type { ReviewPorts } from '../../review/decide/ports.ts'
import type { DocumentPorts, MeaningPorts, SearchPorts } from '../../search/decide/ports.ts'
import type { SessionPorts } from '../../sessions/decide/ports.ts'
import { everySessionProblem } from '../../sessions/verbs/session-problems.ts'
import { waitingView } from '../../status/verbs/health-view.ts'
import type { UpkeepPorts } from '../../upkeep/decide/ports.ts'
import { counted } from '../../validate/decide/finding.ts'
import type { DoctorCheck } from '../check.ts'

const checkSchema = v.object({
  name: v.string(),
  result: v.picklist(['ok', 'warning', 'failure', 'fixed']),
  message: v.string(),
  hint: v.exactOptional(v.pipe(v.string(), v.description('What to do next'))),
})

const MAX_SCANNED = 100_000
const MAX_PROBLEMS = 20

export const doctorOperation = defineOperation({
  name: 'doctor',
  group: 'Maintenance',
  agent: 'free',
  worksForUser: true,
  summary: 'Check every part and suggest fixes',
  description:
    'Checks the files, index, sessions and vectors of the memory. For each host with an installation, checks that its files can be read, that the program in them exists, that its hooks answer in time and in its format, that its server starts, and that Codex trusts the hooks. For a linked project, checks that the hub is reachable and accepts the token, and shows the last sync and waiting changes; an unreachable hub is reported but is not a failure. Hooks and servers are tested on a scratch project: nothing is captured, and no other machine except that hub is contacted.',
  positionals: [],
  input: v.object({
    fix: v.optional(
      flag(
        'Fix what is safe to fix: rebuild the index, rewrite our parts of host files, process waiting lines of hooks, remove leftovers of dead processes',
      ),
    ),
  }),
  output: v.object({ healthy: v.boolean(), checks: v.array(checkSchema) }),
  examples: [
    { command: 'cairn doctor', does: 'check everything' },
    { command: 'cairn doctor --fix', does: 'check and fix' },
  ],
  exitCode: ({ healthy }) => (healthy ? 0 : 1),
  async run(engine, { fix }, { onProgress }) {
    // Hosts do not call hooks of a hub, and the hub itself serves the page that asks for this.
    const checkout = !engine.isUserMemory && isCheckout(engine) ? engine : undefined
    const besideFiles = async (name: string, check: (memory: ComposedCheckout) => Promise<DoctorCheck[]>) =>
      checkout === undefined ? [] : orFailure(name, () => check(checkout))
    const checks: DoctorCheck[] = [
      {
        name: 'runtime',
        result: 'ok',
        message: `Cairn ${generatorVersion()}, Node ${process.versions.node} on ${process.platform}-${process.arch}`,
      },
      ...(await orFailure('documents', () => checkDocuments(engine))),
      ...(await orFailure('redaction', async () => checkRedaction(await engine.config()))),
      ...(await orFailure(
        'vault',
        () => checkStore(engine, fix === true),
        fix === true ? () => rebuild(engine) : undefined,
      )),
      ...(await besideFiles('work', memory => checkBoard(memory, fix === true))),
      ...(await besideFiles('branches', checkLostOnBranches)),
      ...(await orFailure('sessions', () => checkSessions(engine))),
      ...(await orFailure('waiting', async () => [await checkWaiting(engine)])),
      ...(await orFailure('vectors', async () => [await checkVectors(engine)])),
      ...(await orFailure('secrets', async () => [
        await checkSecrets(engine),
        ...(await injectedSecrets(engine)).map(asCheck),
      ])),
      ...(await besideFiles('link', checkHubLink)),
      ...(await besideFiles('server', memory => checkPage(memory, fix === true))),
      ...(await besideFiles('hosts', memory => checkLinks(memory, fix === true, onProgress))),
    ]
    return { healthy: checks.every(check => check.result === 'ok' || check.result === 'fixed'), checks }
  },
})

/** No result without a work board, or if it is intact. */
async function checkBoard(memory: WorkPorts, fix: boolean): Promise<DoctorCheck[]> {
  const found = await memory.work.check(fix)
  if (found.kind === 'sound') return []
  if (found.kind === 'mended')
    return [
      {
        name: 'work',
        result: 'fixed',
        message: `the work board was damaged: ${found.saved} tasks were saved, and the damaged file is now ${found.aside}`,
      },
    ]
  return [
    {
      name: 'work',
      result: 'failure',
      message: '.memory/.vault/work.db, the work board, is damaged',
      hint: 'Restore it from a backup, or run `cairn doctor --fix`: it moves the file away and saves the readable tasks.',
    },
  ]
}

/** Loaded on demand, because it starts git. */
async function checkLostOnBranches(memory: Memory): Promise<DoctorCheck[]> {
  const { checkBranches } = await import('./doctor-chain.ts')
  return checkBranches(memory)
}

/** Loaded on demand, like the installer. */
async function checkHubLink(memory: Memory & SyncPorts): Promise<DoctorCheck[]> {
  const { checkLink } = await import('./doctor-chain.ts')
  return checkLink(memory)
}

/** The server of this project's page. */
async function checkPage(memory: Memory, fix: boolean): Promise<DoctorCheck[]> {
  const { checkServer } = await import('../check-server.ts')
  return checkServer(memoryFolderOf(memory).root, { fix, version: generatorVersion() })
}

/** From a host's files to this memory. Loaded on demand, because nothing else needs the installer. */
async function checkLinks(
  memory: Memory & ClosingPorts & DocumentPorts & ConflictPorts & AskPorts & HookPorts,
  fix: boolean,
  onProgress: OperationContext['onProgress'],
): Promise<DoctorCheck[]> {
  const { checkChain } = await import('./doctor-chain.ts')
  return checkChain(memory, { fix, ...(onProgress !== undefined && { onProgress }) })
}

async function checkVectors(memory: MeaningPorts): Promise<DoctorCheck> {
  if (!(await memory.semantics.isOn()))
    return { name: 'vectors', result: 'ok', message: 'search by meaning is off' }
  const embedder = await memory.semantics.embedder()
  const [vector] =
    embedder === undefined ? [] : await memory.semantics.embedMany(['a text to try the model with'])
  const { count, waiting } = await memory.semantics.vectors.state()
  if (vector === undefined) {
    const [note] = memory.semantics.takeDegraded()
    return {
      name: 'vectors',
      result: 'warning',
      message: note?.message ?? 'The embedder does not answer. Search uses words only.',
      hint:
        note?.code === 'not_confirmed'
          ? '`cairn embedder allow` allows it; `cairn config unset embedder.use` uses the model in the package again.'
          : 'Install Cairn again, or see `embedder.use` in the configuration; search uses words only.',
    }
  }
  return { name: 'vectors', result: 'ok', message: `${count} made, ${waiting} waiting` }
}

/** config.json comes with the repository, so the user should know which text it exempts from redaction. */
function checkRedaction(config: Config): DoctorCheck[] {
  const { allow = [] } = redactionOptions(config)
  const spared = [
    ...(config['redaction.emails'] ? [] : ['e-mail addresses (`redaction.emails`)']),
    ...(config['redaction.personalNumbers']
      ? []
      : ['card, account and phone numbers (`redaction.personalNumbers`)']),
    ...(allow.length === 0
      ? []
      : [
          `addresses, random-looking strings and assignments that match ${allow.map(String).join(' ')} (\`redaction.allow\`)`,
        ]),
    ...(config['redaction.secondNet']
      ? []
      : ['text that only the second scan would find (`redaction.secondNet`)']),
  ]
  if (spared.length === 0) return []
  return [
    {
      name: 'redaction',
      result: 'ok',
      message: `config.json exempts from redaction: ${spared.join('; ')}. Known token formats, private keys and passwords in addresses and command lines are still removed`,
    },
  ]
}

const RESTORED_HINTS: Readonly<Record<string, string>> = {
  document_restored: 'The next change writes a valid file; the damaged one is saved next to it.',
  document_in_conflict:
    'Keep one side of each conflict and remove the marker lines; until then it is not changed.',
}

async function checkDocuments(memory: Memory): Promise<DoctorCheck[]> {
  const checks: DoctorCheck[] = []
  for (const name of ['config.json', 'curation.json'] as const) {
    try {
      await memory.store.readDocument(name)
      const restored = memory.store.takeDegraded().find(({ code }) => Object.hasOwn(RESTORED_HINTS, code))
      checks.push(
        restored === undefined
          ? { name, result: 'ok', message: 'readable' }
          : {
              name,
              result: 'warning',
              message: restored.message,
              hint: RESTORED_HINTS[restored.code] ?? '',
            },
      )
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      checks.push({ name, result: 'failure', message: error.message, hint: error.hint })
    }
  }
  return checks
}

/** A failed check does not hide the others. With a remedy, the check is repeated once after it. */
async function orFailure(
  name: string,
  check: () => Promise<DoctorCheck[]>,
  remedy?: () => Promise<DoctorCheck>,
): Promise<DoctorCheck[]> {
  try {
    return await check()
  } catch (thrown) {
    const error = errnoOf(thrown) === undefined ? thrown : asStorageError(thrown, 'The memory folder')
    if (!(error instanceof CairnError)) throw error
    if (remedy !== undefined && error.class === 'storage') {
      return orFailure(name, async () => [await remedy(), ...(await check())])
    }
    return [{ name, result: 'failure', message: error.message, hint: error.hint }]
  }
}

/** The source of the index. */
function truthOf({ place }: Memory): string {
  return place.kind === 'hub' ? 'rows of the entries' : 'files'
}

async function rebuild(memory: Memory): Promise<DoctorCheck> {
  const { entries } = await memory.store.rebuildIndex()
  return {
    name: 'index',
    result: 'fixed',
    message: `rebuilt from the ${truthOf(memory)}: ${counted(entries, 'entry', 'entries')}`,
  }
}

async function checkStore(memory: Memory, fix: boolean): Promise<DoctorCheck[]> {
  const health = await memory.store.health()
  const checks: DoctorCheck[] = [...health.degraded.map(asNote), ...health.problems.map(asCheck)]
  const isStored = ['disk', 'postgres'].includes(health.index.mode)
  const wrong = isStored ? await memory.store.check() : []
  checks.push(...memory.store.takeDegraded().map(asNote))
  const disagreements = wrong.filter(problem => problem.code === 'index_disagrees')
  checks.push(...wrong.filter(problem => problem.code !== 'index_disagrees').map(asCheck))
  if (disagreements.length === 0) {
    const { total } = await memory.store.counts()
    checks.push({
      name: 'index',
      result: 'ok',
      message: `${counted(total, 'entry', 'entries')}, equal to the ${truthOf(memory)}`,
    })
  } else if (fix) {
    checks.push(await rebuild(memory))
  } else checks.push(...disagreements.slice(0, 5).map(asCheck))
  return checks
}

/** Reads every conversation, checkpoint and memory of a session. */
async function checkSessions(memory: SessionPorts): Promise<DoctorCheck[]> {
  const { sessions, checkpoints, problems } = await everySessionProblem(memory)
  if (problems.length === 0)
    return [{ name: 'sessions', result: 'ok', message: `${sessions} readable, checkpoints: ${checkpoints}` }]
  const more = problems.length - MAX_PROBLEMS
  const rest: DoctorCheck[] =
    more > 0
      ? [{ name: 'sessions', result: 'warning', message: `${more} more problems in files of sessions` }]
      : []
  return [...problems.slice(0, MAX_PROBLEMS).map(asCheck), ...rest]
}

/** Waiting items are not a problem, but the user should know about them. */
async function checkWaiting(
  memory: Memory & SearchPorts & SessionPorts & LearningPorts & ConflictPorts & UpkeepPorts & ReviewPorts,
): Promise<DoctorCheck> {
  const waiting = await waitingView(memory)
  const verbs = [
    waiting.review > 0 ? '`cairn review`' : '',
    waiting.conflicts > 0 ? '`cairn conflicts`' : '',
    waiting.sessionsLeft > 0 ? '`cairn session pick-up`' : '',
  ].filter(verb => verb !== '')
  return {
    name: 'waiting',
    result: 'ok',
    message: `${waiting.review} to review, ${waiting.conflicts} open conflicts, ${waiting.sessionsLeft} sessions left open`,
    ...(verbs.length > 0 && { hint: `See ${verbs.join(', ')}.` }),
  }
}

/** Runs the second secret filter over all stored entries, to find secrets of older versions and hand edits. */
async function checkSecrets(memory: Memory): Promise<DoctorCheck> {
  const { entries } = await memory.store.listEntries({ filter: {}, limit: MAX_SCANNED, offset: 0 })
  const suspects: string[] = []
  for (const entry of entries)
    if ((await memory.secondNet(entry.content)).redacted.length > 0) suspects.push(entry.id)
  if (suspects.length === 0)
    return {
      name: 'secrets',
      result: 'ok',
      message: `none found in ${counted(entries.length, 'entry', 'entries')}`,
    }
  return {
    name: 'secrets',
    result: 'warning',
    message: `${counted(suspects.length, 'entry', 'entries')} may contain a secret: ${suspects.slice(0, 5).join(', ')}`,
    hint: '`cairn edit <id>` removes it; change the secret if it was shared.',
  }
}

function asNote({ code, message }: Degradation): DoctorCheck {
  return { name: code, result: code === 'index_rebuilt' ? 'fixed' : 'warning', message }
}

function asCheck(problem: Problem): DoctorCheck {
  const where = problem.line === undefined ? problem.path : `${problem.path}:${problem.line}`
  return {
    name: problem.code,
    result: 'warning',
    message: `${where}: ${problem.message}`,
    hint: problem.hint,
  }
}
