import { HOST_IDS, type HostId } from '../../../kernel/model/host.ts'
import type { ToolRun } from '../../../kernel/model/message.ts'
import { HOOK_PURPOSES, type HookPurpose, type StartSource, type SubAgent } from './hook-event.ts'
import {
  fieldsIn,
  numberField,
  ownField,
  type PayloadFields,
  parseFields,
  textField,
} from './payload-fields.ts'

/** One event of a host, queued for the worker. */
export interface HookQueueLine {
  /** UTC ISO. */
  readonly at: string
  readonly host: HostId
  readonly event: string
  readonly purpose: HookPurpose
  readonly session: string
  readonly agent?: SubAgent
  /** The prompt or the answer, without secrets. */
  readonly text?: string
  readonly run?: ToolRun
  /** What an edit tool wrote into files of the memory. */
  readonly written?: WrittenText
  /** The host's id of a run of which the payload has no outcome; the transcript may have it. */
  readonly callId?: string
  readonly model?: string
  readonly transcript?: string
  /** The size of the transcript at that event: its text up to there came before, the rest comes after. */
  readonly transcriptBytes?: number
  readonly source?: StartSource
  readonly isManual?: boolean
}

interface WrittenText {
  /** UTC ISO: not before the tool wrote, and not after the hook ran. */
  readonly at: string
  readonly files: readonly string[]
  /** Redacted, and without its middle if it is long. */
  readonly text: string
}

export function renderQueueLine(line: HookQueueLine): string {
  return JSON.stringify({ v: 1, ...line })
}

/** undefined: a truncated line, or one that a newer Cairn wrote. */
export function parseQueueLine(text: string): HookQueueLine | undefined {
  const fields = parseFields(text)
  if (fields === undefined || fields.v !== 1) return undefined
  const at = textField(fields, 'at')
  const host = HOST_IDS.find(id => id === ownField(fields, 'host'))
  const purpose = HOOK_PURPOSES.find(name => name === ownField(fields, 'purpose'))
  const session = textField(fields, 'session')
  if (at === undefined || Number.isNaN(Date.parse(at)) || host === undefined) return undefined
  if (purpose === undefined || session === undefined) return undefined
  const agent = fieldsIn(fields, 'agent')
  const run = fieldsIn(fields, 'run')
  const written = fieldsIn(fields, 'written')
  const optional = {
    text: textField(fields, 'text'),
    callId: textField(fields, 'callId'),
    model: textField(fields, 'model'),
    transcript: textField(fields, 'transcript'),
    transcriptBytes: numberField(fields, 'transcriptBytes'),
    source: textField(fields, 'source') as StartSource | undefined,
    agent: agent && agentIn(agent),
    run: run && runIn(run),
    written: written && writtenIn(written, at),
    isManual: ownField(fields, 'isManual') === true ? true : undefined,
  }
  return {
    at,
    host,
    event: textField(fields, 'event') ?? '',
    purpose,
    session,
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<HookQueueLine>),
  }
}

function agentIn(fields: PayloadFields): SubAgent {
  const id = textField(fields, 'id')
  return { kind: textField(fields, 'kind') ?? 'agent', ...(id !== undefined && { id }) }
}

function writtenIn(fields: PayloadFields, lineAt: string): WrittenText {
  const at = textField(fields, 'at') ?? ''
  return {
    at: Number.isNaN(Date.parse(at)) ? lineAt : at,
    files: textsIn(fields, 'files') ?? [],
    text: textField(fields, 'text') ?? '',
  }
}

function textsIn(fields: PayloadFields, name: string): string[] | undefined {
  const list = ownField(fields, name)
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : undefined
}

function runIn(fields: PayloadFields): ToolRun | undefined {
  const tool = textField(fields, 'tool')
  if (tool === undefined) return undefined
  const command = textField(fields, 'command')
  const output = textField(fields, 'output')
  const exitCode = numberField(fields, 'exitCode')
  const ok = ownField(fields, 'ok')
  const files = textsIn(fields, 'files')
  return {
    tool,
    ...(command !== undefined && { command }),
    ...(typeof ok === 'boolean' && { ok }),
    ...(exitCode !== undefined && { exitCode }),
    ...(output !== undefined && { output }),
    ...(files !== undefined && { files }),
    ...(ownField(fields, 'isEdit') === true && { isEdit: true }),
  }
}
