import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { HostHook } from '../../hosts/hooks/decide/hook-event.ts'
import { readHookFailures } from '../../hosts/hooks/hook-failures.ts'
import { HOSTS } from '../../hosts/hosts.ts'
import {
  judgeTrial,
  type TrialVerdict,
  trialInput,
  triedHooks,
} from '../../hosts/install/decide/hook-trial.ts'
import {
  type InstalledHook,
  type InstalledServer,
  programWords,
} from '../../hosts/install/decide/installed-calls.ts'
import { HOST_TITLES, type HostId } from '../../kernel/model/host.ts'
import { errnoOf } from '../../kernel/system/disk.ts'
import { trialEnvironment } from '../../kernel/system/environment.ts'
import { openRpcConnection } from '../../kernel/system/json-rpc-lines.ts'
import { runBounded } from '../../kernel/system/run-bounded.ts'
import type { DoctorCheck } from './check.ts'

/** A project with one entry, trusted in a separate user folder: tests in it capture nothing and reveal nothing. */
export interface ScratchProject {
  readonly folder: string
  readonly root: string
  /** The log of failed hooks. */
  readonly failures: string
  readonly environment: (variables: Readonly<Record<string, string>>) => NodeJS.ProcessEnv
  /** False: some files could not be removed. */
  remove(): boolean
}

/** A word that occurs only in our test data. */
const SCRATCH_WORD = 'quillwort'
const SCRATCH_PROMPT = `Which database does the ${SCRATCH_WORD} service use, and why?`
const SCRATCH_ENTRY = `The ${SCRATCH_WORD} service uses PostgreSQL, because its database must survive a restart.`
const PREPARED_WITHIN_MS = 20_000

/** undefined: this program could not store an entry there. */
export async function makeScratchProject(ownWords: readonly string[]): Promise<ScratchProject | undefined> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-doctor-')))
  const root = path.join(folder, 'project')
  const home = path.join(folder, 'home')
  fs.mkdirSync(root)
  fs.mkdirSync(home)
  const at = new Date().toISOString()
  const known = {
    version: 1,
    projects: [
      {
        id: 'doctor',
        name: 'doctor',
        root,
        trustedAt: at,
        trustedBy: 'created',
        firstSeenAt: at,
        lastSeenAt: at,
      },
    ],
  }
  fs.writeFileSync(path.join(home, 'projects.json'), JSON.stringify(known))
  const scratch: ScratchProject = {
    folder,
    root,
    failures: path.join(home, 'hook-failures.jsonl'),
    environment: variables => trialEnvironment(home, variables),
    // No test starts a process that outlives it, but a killed process may take a moment to end.
    remove() {
      try {
        fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
        return true
      } catch (error) {
        if (errnoOf(error) === undefined) throw error
        return false
      }
    },
  }
  const made = await runBounded([...ownWords, 'remember', SCRATCH_ENTRY, '--root', root], {
    cwd: root,
    environment: scratch.environment({}),
    timeoutMs: PREPARED_WITHIN_MS,
  })
  if (made.exitCode === 0) return scratch
  scratch.remove()
  return undefined
}

const ATTEMPTS = 5
/** Longer after each attempt, because a busy machine is often free a second later. */
const PAUSE_MS = 150

/** Runs the commands in a host's file on a scratch project, as the host would. */
export async function tryHooks(
  host: HostId,
  hooks: readonly InstalledHook[],
  scratch: ScratchProject,
): Promise<DoctorCheck[]> {
  const name = `${host} hooks`
  const tried: string[] = []
  const checks: DoctorCheck[] = []
  for (const hook of triedHooks(host)) {
    const installed = hooks.find(({ event }) => event === hook.event)
    if (installed === undefined) continue
    const { verdict, ms } = await tryOften(host, hook, installed.command, scratch)
    tried.push(`${hook.event} ${Math.round(ms)} ms`)
    if (verdict.kind !== 'good')
      checks.push({
        name,
        result: verdict.kind === 'slow' ? 'warning' : 'failure',
        message: `${hook.event} ${verdict.message}`,
        hint: `To test it: echo '{}' | ${programWords(installed.command).join(' ')} hook ${host} ${hook.event}. \`cairn init --host ${host}\` rewrites the hooks of ${HOST_TITLES[host]}.`,
      })
  }
  if (checks.length > 0 || tried.length === 0) return checks
  return [{ name, result: 'ok', message: `answer as ${HOST_TITLES[host]} reads it (${tried.join(', ')})` }]
}

/** On a busy machine a hook may miss its deadline and print nothing, so one failure is repeated. A hook that hangs is not. */
async function tryOften(
  host: HostId,
  hook: HostHook,
  command: string,
  scratch: ScratchProject,
): Promise<{ readonly verdict: TrialVerdict; readonly ms: number }> {
  const { trialPayload, trialVariables = {} } = await HOSTS[host].install()
  const payload = { cwd: scratch.root, session: `doctor-${hook.event}`, prompt: SCRATCH_PROMPT }
  for (let attempt = 1; ; attempt++) {
    const trial = await runBounded([command], {
      cwd: scratch.root,
      environment: scratch.environment(trialVariables),
      timeoutMs: hook.timeoutSeconds * 1_000,
      input: trialInput(trialPayload, hook, { ...payload, session: `${payload.session}-${attempt}` }),
      isShellLine: true,
    })
    const verdict = judgeTrial(host, hook, trial, SCRATCH_WORD)
    const isLast = attempt === ATTEMPTS || trial.timedOut || trial.exitCode !== 0
    if (verdict.kind === 'good' || isLast) return { verdict: withReason(verdict, scratch), ms: trial.ms }
    await pause(attempt * PAUSE_MS)
  }
}

/** Adds the reason that the hook logged. */
function withReason(verdict: TrialVerdict, scratch: ScratchProject): TrialVerdict {
  const [failure] = verdict.kind === 'wrong' ? readHookFailures(1, scratch.failures).failures : []
  if (failure === undefined || verdict.kind !== 'wrong') return verdict
  const message = `${verdict.message}: ${failure.message}`
  return { kind: failure.code === 'deadline' ? 'slow' : 'wrong', message }
}

const ANSWERS_WITHIN_MS = 10_000
const ENDS_WITHIN_MS = 3_000
const MAX_TOOL_BYTES = 4_096
const PROTOCOL = '2025-06-18'

/** Initialises the server in a host's file, as the host would, and lists its tools. */
export async function tryServer(
  host: HostId,
  server: InstalledServer,
  { scratch, version }: { readonly scratch: ScratchProject; readonly version: string },
): Promise<DoctorCheck[]> {
  const name = `${host} server`
  const line = [server.command, ...server.args].join(' ')
  const startedMs = performance.now()
  const talk = openRpcConnection([server.command, ...server.args], {
    cwd: scratch.root,
    environment: scratch.environment({}),
    timeoutMs: ANSWERS_WITHIN_MS,
  })
  const hello = (await talk.request('initialize', {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: 'cairn-doctor', version },
  })) as { serverInfo?: { name?: string; version?: string } } | undefined
  const ms = performance.now() - startedMs
  talk.notify('notifications/initialized')
  const listed = (await talk.request('tools/list', {})) as { tools?: readonly unknown[] } | undefined
  const trouble = talk.trouble()
  const isOver = await talk.end(ENDS_WITHIN_MS)
  if (hello === undefined || listed?.tools === undefined)
    return [
      {
        name,
        result: 'failure',
        message: `${line} does not answer as an MCP server: ${trouble || 'it has no tools'}`,
        hint: `\`cairn init --host ${host}\` rewrites its entry.`,
      },
    ]
  const bytes = JSON.stringify(listed.tools).length
  const checks: DoctorCheck[] = []
  if (!isOver)
    checks.push({
      name,
      result: 'warning',
      message: `${line} kept running after its host ended`,
      hint: 'It has been ended. Please report your operating system.',
    })
  if (hello.serverInfo?.version !== undefined && hello.serverInfo.version !== version)
    checks.push({
      name,
      result: 'warning',
      message: `${line} is Cairn ${hello.serverInfo.version}, but this is ${version}`,
      hint: `\`cairn init --host ${host}\` makes the host start this one.`,
    })
  if (checks.length > 0) return checks
  const large = bytes > MAX_TOOL_BYTES ? `, more than the ${MAX_TOOL_BYTES} of the usual set` : ''
  return [
    {
      name,
      result: 'ok',
      message: `answers after ${Math.round(ms)} ms with ${listed.tools.length} tools, ${bytes} bytes of a model's context${large}`,
    },
  ]
}
