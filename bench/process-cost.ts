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
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
