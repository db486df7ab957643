import { CairnError } from '../../kernel/model/errors.ts'
import { errnoOf, nodeDisk } from '../../kernel/system/disk.ts'
import { HOSTS } from '../hosts.ts'
import type { SpoolLine } from './decide/spool-line.ts'

/** The runs of the last turns are at its end. */
const TAIL_BYTES = 8 * 1_048_576

/**
 * The same lines, with the exit code of a run where only the host's transcript has it. Nothing else is taken from it, and without it the
 * outcome stays unknown.
 */
export function runsWithOutcome(lines: readonly SpoolLine[]): readonly SpoolLine[] {
  const open = lines.filter(isOpen)
  if (open.length === 0) return lines
  const codes = new Map<string, number>()
  const calls = new Set(open.flatMap(line => line.callId ?? []))
  const hostByTranscript = new Map(
    open.flatMap(line => (line.transcript === undefined ? [] : [[line.transcript, line.host] as const])),
  )
  for (const [transcript, host] of hostByTranscript)
    for (const [id, code] of HOSTS[host].hooks.exitCodes?.(endOf(transcript), calls) ?? [])
      codes.set(id, code)
  return lines.map(line => {
    const exitCode = isOpen(line) ? codes.get(line.callId ?? '') : undefined
    if (exitCode === undefined || line.run === undefined) return line
    return { ...line, run: { ...line.run, ok: exitCode === 0, exitCode } }
  })
}

function isOpen({ host, run, callId, transcript }: SpoolLine): boolean {
  if (HOSTS[host].hooks.exitCodes === undefined || run === undefined || run.ok !== undefined) return false
  return callId !== undefined && transcript?.endsWith('.jsonl') === true
}

function endOf(transcript: string): string[] {
  try {
    const read = nodeDisk.readTail(transcript, TAIL_BYTES)
    return read === undefined ? [] : new TextDecoder().decode(read.tail).split('\n')
  } catch (error) {
    // It is the host's file: it may be gone or not readable for us.
    if (errnoOf(error) !== undefined || error instanceof CairnError) return []
    throw error
  }
}
