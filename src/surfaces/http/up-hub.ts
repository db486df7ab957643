import type { Hub } from '../../compose/compose-hub.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { SERVER_ITSELF } from '../../kernel/model/hub.ts'
import { ownProcessId } from '../../kernel/system/live-process.ts'
import { openLog } from '../../kernel/system/log.ts'
import { type EndSignal, endServer, exitInTime } from './ending.ts'
import { type HubServer, startHubServer } from './hub-server.ts'
import { hasScreen, openBrowser } from './open-browser.ts'
import { DEFAULT_PORT, type UpOptions } from './options.ts'
import { rateLimit } from './rate-limit.ts'
import { isLoopback } from './request-rules.ts'
import { THIS_MACHINE } from './server.ts'
import { FAULTS_ALONE, logFault } from './watching/log-fault.ts'

/** Requests per second of one token on one server, unless the token has its own rate. */
const REQUESTS_PER_SECOND = 50
const BURST_SECONDS = 4

/** `cairn up --store`: serves many projects until it gets a signal. */
export async function upHub(
  store: string,
  options: UpOptions,
  version: string,
  ended: Promise<EndSignal>,
): Promise<number> {
  checkOptions(options)
  const log = openLog(options.log ?? FAULTS_ALONE)
  const onFault = (error: unknown) => logFault(log, error)
  const { openHub } = await import('../../compose/compose-hub.ts')
  const rateOf = (perSecond: number) => ({ perSecond, burst: Math.max(1, perSecond * BURST_SECONDS) })
  const usual = rateOf(options.readsPerSecond ?? REQUESTS_PER_SECOND)
  const turns = rateLimit(usual)
  const hub = await openHub({
    store,
    onFault,
    takeTurn: (token, perSecond, nowMs) =>
      turns.take(token, nowMs, perSecond === undefined ? usual : rateOf(perSecond)),
  })
  let server: HubServer | undefined
  try {
    server = await startHubServer({
      hub,
      port: options.port ?? DEFAULT_PORT,
      host: options.host ?? THIS_MACHINE,
      version,
      onFault,
      log,
      hasOpenMetrics: options.hasOpenMetrics,
    })
    log.write('info', 'started', { version, port: server.port, pid: ownProcessId() })
    const first = await hub.deskOf({ principal: SERVER_ITSELF }).addFirstToken()
    await printStart(hub, { options, port: server.port, firstToken: first?.token })
    const signal = await ended
    await endServer(server, { signal, drainSeconds: options.drainSeconds ?? 0, log })
    server = undefined
    return 0
  } catch (error) {
    exitInTime({ log, exitCode: 1 })
    throw error
  } finally {
    await server?.close()
    await hub.close()
  }
}

function checkOptions({ root, trustsLocal, needsToken, host, isBehindTls }: UpOptions): void {
  const wrong =
    root !== undefined ? '--root' : trustsLocal ? '--trust-local' : needsToken ? '--require-token' : ''
  if (wrong !== '')
    throw new CairnError({
      code: 'invalid_input',
      message: `${wrong} is for the memory of one project, and --store serves a hub.`,
      hint: 'Leave one of them out. On a hub everything needs a token, from this machine too.',
    })
  if (host === undefined || isLoopback(host) || isBehindTls) return
  throw new CairnError({
    code: 'request_refused',
    message: `A hub at ${host.slice(0, 60)} would send tokens and memories over the network in the clear.`,
    hint: 'Put a proxy with a certificate (caddy, nginx, traefik, a load balancer) in front of this port, then confirm it with --behind-tls. docs/guide/hub.md shows one.',
  })
}

async function printStart(
  hub: Hub,
  { options, port, firstToken }: { options: UpOptions; port: number; firstToken: string | undefined },
): Promise<void> {
  const host = options.host ?? THIS_MACHINE
  const name = host === '0.0.0.0' || host === '::' ? THIS_MACHINE : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/`
  const projects = (await hub.directory.projects()).filter(({ archivedMs }) => archivedMs === undefined)
  if (options.isJson)
    process.stdout.write(
      `${JSON.stringify({ url, port, host, pid: ownProcessId(), projects: projects.length, firstToken: firstToken ?? null })}\n`,
    )
  else
    process.stdout.write(
      [
        `Hub with ${projects.length} project${projects.length === 1 ? '' : 's'}`,
        `  ${url}`,
        ...(firstToken === undefined
          ? []
          : [
              '',
              '  The first administrator’s token. It is shown this once: keep it.',
              `  ${firstToken}`,
              '',
              '  Next: cairn hub add-project <name>, then cairn hub token add <who> --project <name> --scope write',
            ]),
        '  Ctrl+C ends it.',
        '',
      ].join('\n'),
    )
  if (options.isOpened && isLoopback(host) && hasScreen()) openBrowser(url)
}
