import type { AuditRecord } from '../../kernel/model/hub.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import type { HubDirectory } from './decide/hub-directory.ts'

export interface AuditLimits {
  readonly keepDays: number
  readonly mostRecords: number
}

const AUDIT_LIMITS: AuditLimits = { keepDays: 180, mostRecords: 1_000_000 }

export interface AuditTrail {
  /** Written within half a second, together with other records of that time. */
  note(record: Omit<AuditRecord, 'atMs'>): void
  /** A request used this token. Written at most once a minute. */
  noteUse(token: string): void
  /** Writes pending records. */
  flush(): Promise<void>
  close(): Promise<void>
}

const GATHERED_MS = 500
const MAX_CONCURRENT = 500
/**
 * Refusals cost the client nothing, so they are limited: for each token, and for all clients without one, this many a minute are stored,
 * and the number of the rest.
 */
const MAX_REFUSALS_PER_MINUTE = 60
const MINUTE_MS = 60_000
const USE_EVERY_MS = 60_000
const MAX_TOKENS_KNOWN = 10_000
const PRUNE_EVERY_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

interface Refusals {
  readonly by: Pick<AuditRecord, 'principal' | 'token'>
  readonly kept: number
  readonly more: number
}

/**
 * Records actions after the request, so that no request waits. A server that is killed loses half a second of records; a change of a
 * memory is still in its journal, which is written with the change.
 */
export function auditTrail({
  directory,
  clock,
  limits = AUDIT_LIMITS,
  onFault,
}: {
  readonly directory: HubDirectory
  readonly clock: Clock
  readonly limits?: AuditLimits
  readonly onFault: (error: unknown) => void
}): AuditTrail {
  let waiting: AuditRecord[] = []
  let refused = new Map<string, Refusals>()
  let minuteMs = clock.nowMs()
  let used = new Map<string, number>()
  const writtenMsByToken = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let prunedMs = clock.nowMs()

  const countRest = () => {
    for (const { by, more } of refused.values())
      if (more > 0)
        waiting.push({
          atMs: clock.nowMs(),
          ...by,
          action: 'refusals',
          subject: `${more} more`,
          outcome: 'not_kept',
        })
    refused = new Map()
    minuteMs = clock.nowMs()
  }
  const isKept = ({ principal, token }: Omit<AuditRecord, 'atMs'>): boolean => {
    if (clock.nowMs() - minuteMs >= MINUTE_MS) countRest()
    const by = { ...(principal !== undefined && { principal }), ...(token !== undefined && { token }) }
    const { kept, more } = refused.get(token ?? '') ?? { kept: 0, more: 0 }
    const mayKeep = kept < MAX_REFUSALS_PER_MINUTE
    refused.set(token ?? '', mayKeep ? { by, kept: kept + 1, more } : { by, kept, more: more + 1 })
    return mayKeep
  }
  const write = async () => {
    const records = waiting
    const uses = used
    waiting = []
    used = new Map()
    for (let at = 0; at < records.length; at += MAX_CONCURRENT)
      await directory.record(records.slice(at, at + MAX_CONCURRENT))
    if (uses.size > 0) await directory.noteUse(uses)
    if (clock.nowMs() - prunedMs < PRUNE_EVERY_MS) return
    prunedMs = clock.nowMs()
    await directory.forgetAudit(prunedMs - limits.keepDays * DAY_MS, limits.mostRecords)
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write).catch(onFault)
    return writing
  }
  const soon = () => {
    timer ??= setTimeout(flush, GATHERED_MS)
  }
  return {
    note(record) {
      if (record.outcome === 'done' || isKept(record)) waiting.push({ atMs: clock.nowMs(), ...record })
      soon()
    },
    noteUse(token) {
      const nowMs = clock.nowMs()
      if (nowMs - (writtenMsByToken.get(token) ?? 0) < USE_EVERY_MS) return
      if (writtenMsByToken.size >= MAX_TOKENS_KNOWN) writtenMsByToken.clear()
      writtenMsByToken.set(token, nowMs)
      used.set(token, nowMs)
      soon()
    },
    flush,
    close() {
      countRest()
      return flush()
    },
  }
}

const MAX_SUBJECT = 200

/** Text of a name or a target for the audit: redacted and truncated. */
export function auditText(text: string): string {
  const plain = text.slice(0, 4 * MAX_SUBJECT).replace(/\p{Cc}/gu, '\ufffd')
  return redact(plain).text.slice(0, MAX_SUBJECT)
}
