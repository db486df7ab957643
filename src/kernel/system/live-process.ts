import { errnoOf } from './disk.ts'

/** Whether a process with this id exists, also of another user. */
export function isProcessAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EPERM') return true
    if (errnoOf(error) === 'ESRCH') return false
    throw error
  }
}

export function ownProcessId(): number {
  return process.pid
}
