import { CairnError } from '../../../kernel/model/errors.ts'
import type {
  Attempt,
  Lease,
  Progress,
  TaskFailure,
  TaskResult,
  WorkTask,
} from '../../../kernel/model/task.ts'
import { TASK_LIMITS } from '../../../kernel/model/task.ts'

/**
 * The effect of each call on a task, given the task and the time. Pure.
 *
 *   waiting ──▶ ready ──▶ running ──▶ done
 *               ▲  ▲         │ failed, or the lease ran out, and tries are left: later
 *               │  └─────────┤
 *               │ retry      └──▶ failed          whatever is not done yet ──▶ cancelled
 *               └──────────────────┴──────────────────────────────────────────────┘
 *
 * A lease is a fence: each has a greater number than the one before, and reports with an older one are rejected.
 */
const MAX_BACKOFF_MS = 3_600_000
const EXPIRED: TaskFailure = {
  code: 'lease_expired',
  message: 'The lease of the worker expired without a heartbeat.',
}

export interface Claim {
  readonly worker: string
  readonly leaseMs: number
  readonly secret: string
  readonly nowMs: number
}

function leaseToken(task: string, number: number, secret: string): string {
  return `${task}.${number}.${secret}`
}

/** The task of a lease. */
export function taskOfLease(token: string): string {
  const parts = /^(.+)\.\d+\.[^.]+$/.exec(token)
  if (parts?.[1] !== undefined) return parts[1]
  throw new CairnError({
    code: 'invalid_input',
    message: 'This is not a lease. A lease looks like `release.build.1.9f3a…`.',
    hint: 'Give the complete `lease` from the answer of `cairn work claim`.',
  })
}

export function claimed(task: WorkTask, { worker, leaseMs, secret, nowMs }: Claim): WorkTask {
  if (task.standing.state !== 'ready' || task.standing.fromMs > nowMs)
    throw wrongState(task, 'be claimed', 'Wait for it, or claim another.')
  const number = task.leases + 1
  const lease: Lease = {
    token: leaseToken(task.id, number, secret),
    number,
    worker,
    sinceMs: nowMs,
    lengthMs: leaseMs,
    untilMs: nowMs + leaseMs,
  }
  const { progress: _earlier, ...rest } = task
  return { ...rest, leases: number, tries: task.tries + 1, standing: { state: 'running', lease } }
}

type Beat =
  | { readonly kind: 'holds'; readonly task: WorkTask; readonly untilMs: number }
  /** The worker must stop: the task was cancelled. */
  | { readonly kind: 'cancelled'; readonly why: string }

export function heartbeat(
  task: WorkTask,
  token: string,
  beat: { readonly nowMs: number; readonly leaseMs?: number; readonly progress?: Omit<Progress, 'atMs'> },
): Beat {
  const { standing } = task
  if (standing.state === 'cancelled' && standing.token === token)
    return { kind: 'cancelled', why: standing.why }
  const lease = heldLease(task, token, beat.nowMs)
  const lengthMs = beat.leaseMs ?? lease.lengthMs
  const untilMs = beat.nowMs + lengthMs
  return {
    kind: 'holds',
    untilMs,
    task: {
      ...task,
      standing: { state: 'running', lease: { ...lease, lengthMs, untilMs } },
      ...(beat.progress && { progress: { ...beat.progress, atMs: beat.nowMs } }),
    },
  }
}

export interface Ended {
  readonly task: WorkTask
  /** The answer to the first report was lost, and this is the same report again. */
  readonly isRepeated: boolean
}

export function finished(task: WorkTask, token: string, result: TaskResult, nowMs: number): Ended {
  const { standing } = task
  if (standing.state === 'done' && standing.token === token) {
    if (standing.result.text === result.text) return { task, isRepeated: true }
    throw wrongState(
      task,
      'be finished with another result',
      'The first result was accepted and does not change. Add a new task for further work.',
    )
  }
  const lease = heldLease(task, token, nowMs)
  const done = withAttempt(task, lease, { outcome: 'done', endMs: nowMs })
  return {
    task: { ...done, standing: { state: 'done', atMs: nowMs, token, result } },
    isRepeated: false,
  }
}

export function failed(
  task: WorkTask,
  token: string,
  failure: TaskFailure & { readonly isFinal: boolean },
  nowMs: number,
): Ended {
  const last = task.attempts.at(-1)
  const isOver = task.standing.state === 'ready' || task.standing.state === 'failed'
  if (isOver && last?.token === token && last.outcome === 'failed') return { task, isRepeated: true }
  const lease = heldLease(task, token, nowMs)
  const { isFinal, ...told } = failure
  const isHopeless = isFinal || (told.code !== undefined && task.retry.finalCodes.includes(told.code))
  const tried = withAttempt(task, lease, { outcome: 'failed', failure: told, endMs: nowMs })
  return {
    task: isHopeless ? given(tried, nowMs) : tryAgain(tried, nowMs, backoffMs(tried)),
    isRepeated: false,
  }
}

/** The lease was the pause: an expired task can be retried immediately. It counts as a failure, so that a task that kills its workers ends. */
export function expired(task: WorkTask, nowMs: number): WorkTask {
  const { standing } = task
  if (standing.state !== 'running' || standing.lease.untilMs > nowMs) return task
  const tried = withAttempt(task, standing.lease, { outcome: 'expired', failure: EXPIRED, endMs: nowMs })
  return tryAgain(tried, nowMs, 0)
}

export function cancelled(
  task: WorkTask,
  { why, root, nowMs }: { readonly why: string; readonly root: string; readonly nowMs: number },
): WorkTask {
  const { standing } = task
  if (standing.state === 'cancelled' || standing.state === 'done') return task
  const stopped =
    standing.state === 'running'
      ? withAttempt(task, standing.lease, { outcome: 'cancelled', endMs: nowMs })
      : task
  const token = standing.state === 'running' && { token: standing.lease.token }
  return { ...stopped, standing: { state: 'cancelled', atMs: nowMs, why, root, ...token } }
}

export function reopened(task: WorkTask, nowMs: number): WorkTask {
  const { state } = task.standing
  if (state !== 'failed' && state !== 'cancelled')
    throw wrongState(task, 'be tried again', 'Only a task that failed or was cancelled can.')
  const { progress: _earlier, ...rest } = task
  return { ...rest, tries: 0, standing: begin(task.waitsFor, nowMs) }
}

/** A dependency was completed. */
export function freed(task: WorkTask, nowMs: number): WorkTask {
  const waitsFor = task.waitsFor - 1
  if (waitsFor < 0) throw new Error(`${task.id} waits for nothing that could be done`)
  const isNowReady = waitsFor === 0 && task.standing.state === 'waiting'
  return { ...task, waitsFor, ...(isNowReady && { standing: { state: 'ready', fromMs: nowMs } }) }
}

export function begin(waitsFor: number, nowMs: number): WorkTask['standing'] {
  return waitsFor === 0 ? { state: 'ready', fromMs: nowMs } : { state: 'waiting' }
}

/** `backoffMs * 2^(tries - 1)`, at most an hour. */
export function backoffMs({ tries, retry }: Pick<WorkTask, 'tries' | 'retry'>): number {
  return Math.min(retry.backoffMs * 2 ** Math.min(tries - 1, 30), MAX_BACKOFF_MS)
}

function tryAgain(task: WorkTask, nowMs: number, pauseMs: number): WorkTask {
  if (task.tries >= task.retry.attempts) return given(task, nowMs)
  return { ...task, standing: { state: 'ready', fromMs: nowMs + pauseMs } }
}

function given(task: WorkTask, nowMs: number): WorkTask {
  return { ...task, standing: { state: 'failed', atMs: nowMs } }
}

function withAttempt(
  task: WorkTask,
  { number, worker, token, sinceMs }: Lease,
  end: Pick<Attempt, 'outcome' | 'endMs' | 'failure'>,
): WorkTask {
  const attempts = [...task.attempts, { number, worker, token, sinceMs, ...end }]
  return { ...task, attempts: attempts.slice(-TASK_LIMITS.attemptsKept) }
}

function heldLease(task: WorkTask, token: string, nowMs: number): Lease {
  const { standing } = task
  if (standing.state === 'running' && standing.lease.token === token && standing.lease.untilMs > nowMs)
    return standing.lease
  if (standing.state === 'cancelled' && standing.token === token)
    throw wrongState(task, 'be reported on', `It was cancelled: ${standing.why || 'no reason given'}. Stop.`)
  throw new CairnError({
    code: 'lease_lost',
    message: `The lease for ${task.id} is no longer valid: the task is ${task.standing.state}.`,
    hint: 'Stop working on it: your reports are rejected. Claim again; send heartbeats more often, or request a longer lease.',
    details: { task: task.id, state: task.standing.state },
  })
}

export function wrongState(task: WorkTask, verb: string, hint: string): CairnError {
  return new CairnError({
    code: 'task_state_conflict',
    message: `${task.id} is ${task.standing.state} and cannot ${verb}.`,
    hint,
    details: { task: task.id, state: task.standing.state },
  })
}
