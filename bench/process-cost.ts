import { existsSync, readFileSync } from 'node:fs'

interface Running {
  readonly pid?: number | undefined
}

/** What a process that runs holds now. */
export function residentMbOf({ pid }: Running): number {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) throw new Error('the memory of a process is only measured on Linux')
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? Number.NaN) / 1024
}

const TICK_MS = 10

/** What it has used so far, in milliseconds of CPU. */
export function cpuMsOf({ pid }: Running): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** What those that a process started have used so far, also those that are gone. */
export function childrenCpuMsOf({ pid }: Running): number {
  const fields = statOf(pid)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  const gone = (Number(fields[13]) + Number(fields[14])) * TICK_MS
  return children.reduce(
    (sum, child) => sum + (existsSync(`/proc/${child}/stat`) ? cpuMsOf({ pid: child }) : 0),
    gone,
  )
}

export function parentOf({ pid }: Running): number {
  return Number(statOf(pid)[1])
}

/** From the third on: the second, a name, may have blanks. */
function statOf(pid: number | undefined): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
}
