import { captureMessage } from '../../features/sessions/decide/capture-message.ts'
import type { Memory } from '../../kernel/memory.ts'
import { rootOf } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { HostId } from '../../kernel/model/host.ts'
import type { Message } from '../../kernel/model/message.ts'
import { withoutUnsure } from '../../kernel/text/redaction/may-hold-secret.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { HOSTS } from '../hosts.ts'
import type { HookEvent } from './decide/hook-event.ts'
import type { HookPorts } from './decide/ports.ts'
import { type HookQueueLine, renderQueueLine } from './decide/queue-line.ts'
import { changedMs, isReadable, transcriptSize } from './read-transcript.ts'

/** Tool runs wait in the spool for what follows them, up to this size. */
const MAX_WAITING_BYTES = 524_288
const MAX_HOOK_DELAY_MS = 30_000

interface HookCaptureOptions {
  /** There is time to load a scanner for text that may contain a secret. Otherwise that part is left out: it never reaches the disk unscanned. */
  readonly mayScan: boolean
}

/** What is stored of an event, without secrets and private parts; undefined: nothing. */
export async function captureOf(
  memory: Memory,
  event: HookEvent,
  { mayScan }: HookCaptureOptions,
): Promise<HookQueueLine | undefined> {
  const { host, name, purpose, session, agent, callId, model, source, isManual, written } = event
  // Its path is stored. A transcript with a secret in its path is not read.
  const transcript = event.transcript && hasSecret(event.transcript) ? undefined : event.transcript
  if (session === undefined) return undefined
  const config = await memory.config()
  const redaction = redactionOptions(config)
  if (redact(session, redaction).redacted.length > 0) {
    throw new CairnError({
      code: 'session_id_invalid',
      message: 'The session id of the host looks like a secret; nothing of the session is stored.',
      hint: 'Change the secret if it was shared.',
    })
  }
  const at = new Date(memory.clock.nowMs()).toISOString()
  const message = messageOf(event)
  if (message === undefined && (purpose === 'prompt' || purpose === 'tool')) return undefined
  const keepsRun = config['hooks.toolRuns']
  if (purpose === 'tool' && !keepsRun && written === undefined) return undefined
  const clean = (text: string) => redact(text, redaction).text
  const sure = async (text: string): Promise<string> => {
    if (!config['redaction.secondNet']) return text
    return mayScan ? (await memory.secondNet(text)).text : withoutUnsure(text)
  }
  const capture = { config, root: rootOf(memory), now: at }
  const captured = message && captureMessage(message, capture).message
  const run = keepsRun ? captured?.run : undefined
  return {
    at,
    host,
    event: name,
    purpose,
    session,
    ...(agent !== undefined && {
      agent: { kind: clean(agent.kind), ...(agent.id !== undefined && { id: clean(agent.id) }) },
    }),
    ...(captured !== undefined && captured.run === undefined && { text: await sure(captured.text) }),
    ...(run !== undefined && {
      run: {
        ...run,
        ...(run.command !== undefined && { command: await sure(run.command) }),
        ...(run.output !== undefined && { output: await sure(run.output) }),
      },
    }),
    ...(written !== undefined && {
      written: {
        at: new Date(writtenMs(event, Date.parse(at))).toISOString(),
        files: captured?.run?.files ?? [],
        text: await sure(captureMessage({ role: 'agent', text: written }, capture).message.text),
      },
    }),
    ...(callId !== undefined && run !== undefined && run.ok === undefined && { callId: clean(callId) }),
    ...(model !== undefined && { model: clean(model) }),
    ...(transcript !== undefined && { transcript, ...sizeOf(host, transcript) }),
    ...(source !== undefined && { source }),
    ...(isManual === true && { isManual }),
  }
}

/** Only what is certainly a secret: a home folder may be named after an email address. */
const CERTAIN = { emails: false, allow: [/(?:)/] }

function hasSecret(path: string): boolean {
  return redact(path, CERTAIN).redacted.length > 0
}

/**
 * When the tool wrote: not after the last change of its files, which another process may have made. Delays of a host beyond the maximum are
 * ignored.
 */
function writtenMs({ run, cwd = '.' }: HookEvent, nowMs: number): number {
  const times = (run?.files ?? []).map(file =>
    changedMs(/^(?:[\\/]|[a-z]:)/i.test(file) ? file : `${cwd}/${file}`),
  )
  return Math.max(nowMs - MAX_HOOK_DELAY_MS, Math.min(nowMs, ...times.map(ms => ms ?? nowMs)))
}

/** A file that does not exist yet is empty. */
function sizeOf(host: HostId, transcript: string): { readonly transcriptBytes?: number } {
  if (!isReadable(host, transcript)) return {}
  const bytes = transcriptSize(transcript)
  return bytes === undefined ? {} : { transcriptBytes: bytes }
}

function messageOf({ purpose, prompt, answer, run }: HookEvent): Message | undefined {
  if (purpose === 'prompt') return prompt === undefined ? undefined : { role: 'user', text: prompt }
  if (purpose === 'tool') return run === undefined ? undefined : { role: 'tool', text: '', run }
  return answer === undefined || answer.trim() === '' ? undefined : { role: 'agent', text: answer }
}

/** Leaves the line for the worker. True: a worker must be started. */
export async function leaveForWorker(memory: HookPorts, line: HookQueueLine): Promise<boolean> {
  const { bytes } = await memory.hookQueue.append(line.session, [renderQueueLine(line)])
  if (!isWorkerDue(line, bytes)) return false
  return !(await memory.hookQueue.isWorked())
}

function isWorkerDue({ purpose, host, isManual, written }: HookQueueLine, bytes: number): boolean {
  // The user waits for the answer to a prompt; the prompt is stored together with it.
  if (purpose === 'prompt') return false
  // Until then, text that an agent wrote into the vault counts as the user's.
  if (purpose === 'tool') return written !== undefined || bytes > MAX_WAITING_BYTES
  if (purpose === 'compact' && HOSTS[host].hooks.compaction === 'each-turn') return isManual === true
  return purpose !== 'agent-start'
}
