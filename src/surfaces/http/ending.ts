import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../kernel/system/log.ts'

export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** The first signal starts an orderly end; the second one exits without waiting. */
export function untilEndSignal(beforeExit: () => void): Promise<EndSignal> {
  return new Promise(resolve => {
    let isTold = false
    const told = (signal: EndSignal) => {
      if (isTold) {
        beforeExit()
        process.exit(signal === 'SIGINT' ? 130 : 143)
      }
      isTold = true
      resolve(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => told(signal))
  })
}

/**
 * In the order that loses nothing behind a balancer:
 *
 *   /readyz says 503, everything is still answered      for --drain seconds, where a service manager asked (SIGTERM)
 *   no more connections; streams are told `bye`; what is under way is finished
 *   background work and the store are closed
 */
export async function endServer(
  server: { drain(): void; close(): Promise<void> },
  {
    signal,
    drainSeconds,
    log,
  }: { readonly signal: EndSignal; readonly drainSeconds: number; readonly log: Log },
): Promise<void> {
  const startMs = performance.now()
  log.write('info', 'ending', { signal })
  server.drain()
  if (signal === 'SIGTERM' && drainSeconds > 0) await pause(drainSeconds * 1_000)
  exitInTime({ log, exitCode: 0 })
  await server.close()
  log.write('info', 'ended', { ms: Math.round(performance.now() - startMs) })
  await log.flush()
}

/** Running requests have ten seconds (listen.ts), and work in the background the same again. */
const END_MS = 20_000

/**
 * The last resort: a database that does not answer, a thread or a file must not keep the process alive. The timer itself does not either.
 */
export function exitInTime({ log, exitCode }: { readonly log: Log; readonly exitCode: number }): void {
  setTimeout(async () => {
    log.write('warn', 'ended_late', { ms: END_MS })
    await log.flush()
    process.exit(exitCode)
  }, END_MS).unref()
}
