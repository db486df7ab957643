import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { networkInterfaces } from 'node:os'
import * as path from 'node:path'
import * as v from 'valibot'
import { resolveProject } from '../../features/projects/resolve-project.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import { readEnvironment } from '../../kernel/system/environment.ts'
import { ownProcessId } from '../../kernel/system/live-process.ts'
import { type Log, openLog } from '../../kernel/system/log.ts'
import { findStoreAddress } from '../../kernel/system/store-address.ts'
import { type TokenFile, userTokenFile } from '../../kernel/system/token-file.ts'
import { clearUpMark, findUpMark, putUpMark } from '../../kernel/system/up-marks.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { endServer, untilEndSignal } from './ending.ts'
import { LIMITS } from './listen.ts'
import { hasScreen, openBrowser } from './open-browser.ts'
import { DEFAULT_PORT, readOptions, type UpOptions } from './options.ts'
import { isProof, PROOF_PATH } from './proof-route.ts'
import { isLoopback } from './request-rules.ts'
import { type Server, startServer, THIS_MACHINE } from './server.ts'
import { FAULTS_ALONE, logFault } from './watching/log-fault.ts'

declare const CAIRN_VERSION: string

/** `cairn up`: serves the page and the routes of one memory until it gets a signal. */
export async function main(argv: readonly string[]): Promise<number> {
  const words = argv.slice(1)
  let options: UpOptions | undefined
  try {
    options = readOptions(words)
    return await up(options, CAIRN_VERSION)
  } catch (error) {
    const failure =
      error instanceof CairnError
        ? error
        : errnoOf(error) === undefined
          ? undefined
          : asStorageError(error, 'The memory folder')
    if (failure === undefined) throw error
    tellFailure(failure, options?.isJson ?? words.includes('--json'))
    return failure.exitCode
  }
}

/** For the build: runs a start and the first requests of a page, so that a server does not have to compile them. */
export async function warmUp(): Promise<void> {
  const { walkUpPaths } = await import('./warm-up.ts')
  return walkUpPaths(CAIRN_VERSION)
}

function tellFailure({ code, message, hint }: CairnError, isJson: boolean): void {
  const clean = (text: string) => redact(text).text
  if (isJson)
    process.stdout.write(
      `${JSON.stringify({ error: { code, message: clean(message), hint: clean(hint) } })}\n`,
    )
  else process.stderr.write(`cairn: ${clean(message)}\n  → ${clean(hint)}\n`)
}

/** Ports after the default one that are tried before a random free one. */
const PORTS_TRIED = 20
const ASK_MS = 1_000

/** Starts a server, or finds the running one; prints its address, opens the page, and runs until it gets a signal. */
async function up(options: UpOptions, version: string): Promise<number> {
  const store = findStoreAddress(options)
  // Naming a folder wins: CAIRN_STORE may be set for other verbs.
  if (store !== undefined && (options.root === undefined || options.store !== undefined)) {
    const { upHub } = await import('./up-hub.ts')
    return upHub(
      store,
      options,
      version,
      untilEndSignal(() => undefined),
    )
  }
  const root = path.resolve(options.root ?? readEnvironment().root ?? resolveProject(process.cwd()).root)
  const token = userTokenFile()
  const found = await findServer(root, options, token)
  if (found !== undefined) {
    printStart({ root, ...found, token, isRunning: true, isNew: false }, options)
    return 0
  }
  const ended = untilEndSignal(() => clearUpMark(root))
  const log = openLog(options.log ?? FAULTS_ALONE)
  const server = await startOnFreePort({ root, options, token, version, log })
  const host = options.host ?? THIS_MACHINE
  putUpMark({
    pid: ownProcessId(),
    port: server.port,
    host,
    root,
    startedAt: new Date().toISOString(),
    version,
  })
  log.write('info', 'started', { version, port: server.port, host, pid: ownProcessId() })
  printStart({ root, port: server.port, host, token, isRunning: false, isNew: server.isNew }, options)
  const signal = await ended
  clearUpMark(root)
  await endServer(server, { signal, drainSeconds: options.drainSeconds ?? 0, log })
  return 0
}

interface Place {
  readonly host: string
  readonly port: number
}

/** A running server of the same project, if the options only ask for one. */
async function findServer(root: string, options: UpOptions, token: TokenFile): Promise<Place | undefined> {
  const { port, host, trustsLocal, needsToken, readsPerSecond } = options
  const isAnyOne = host === undefined && !trustsLocal && !needsToken && readsPerSecond === undefined
  if (!isAnyOne || port === 0) return undefined
  const marked = findUpMark(root)
  const places = [
    ...(marked === undefined
      ? []
      : [{ port: marked.port, host: isLoopback(marked.host) ? marked.host : THIS_MACHINE }]),
    { port: port ?? DEFAULT_PORT, host: THIS_MACHINE },
  ]
  for (const place of places) {
    if (port !== undefined && place.port !== port) continue
    if (await isServedAt(place, root, token)) return place
  }
  return undefined
}

/**
 * Whether our own server of the project is running there. The page gets the token, so a foreign process on the port must not pass for it:
 * the name of the project is public, and a mark may outlive a killed server.
 */
async function isServedAt({ host, port }: Place, root: string, token: TokenFile): Promise<boolean> {
  const challenge = randomBytes(32).toString('hex')
  const text = await answerOf({ host, port }, `${PROOF_PATH}?challenge=${challenge}`)
  const answer = v.safeParse(ANSWER, text)
  return answer.success && isProof(answer.output.proof, token.read(), { root, port, challenge })
}

const ANSWER = v.pipe(v.string(), v.parseJson(), v.object({ app: v.literal('cairn'), proof: v.string() }))
/** A foreign process may send anything, at any pace. */
const MAX_CHARACTERS = 10_000

/** undefined: no server, or none that answers in time. */
function answerOf({ host, port }: Place, path: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const signal = AbortSignal.timeout(ASK_MS)
    const unavailable = () => resolve(undefined)
    const asked = get({ host, port, path, signal, agent: false }, response => {
      textOf(response).then(resolve, unavailable)
    })
    asked.on('error', unavailable)
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk
    if (text.length > MAX_CHARACTERS) break
  }
  return text
}

interface Starting {
  readonly root: string
  readonly options: UpOptions
  readonly token: TokenFile
  readonly version: string
  readonly log: Log
}

async function startOnFreePort({ root, options, token, version, log }: Starting): Promise<Server> {
  const { port: asked, readsPerSecond } = options
  const start = (port: number) =>
    startServer({
      root,
      port,
      host: options.host ?? THIS_MACHINE,
      token,
      version,
      trustsLocal: options.trustsLocal,
      needsTokenToRead: options.needsToken,
      ...(readsPerSecond !== undefined && {
        limits: {
          readsPerSecond,
          writesPerSecond: Math.max(1, (readsPerSecond * LIMITS.writesPerSecond) / LIMITS.readsPerSecond),
        },
      }),
      onFault: error => logFault(log, error),
      log,
      hasOpenMetrics: options.hasOpenMetrics,
    })
  if (asked !== undefined) return start(asked)
  for (let port = DEFAULT_PORT; port < DEFAULT_PORT + PORTS_TRIED; port++) {
    try {
      return await start(port)
    } catch (error) {
      if (!(error instanceof CairnError) || error.code !== 'port_taken') throw error
    }
  }
  return start(0)
}

interface StartedServer {
  readonly root: string
  readonly port: number
  readonly host: string
  readonly token: TokenFile
  readonly isRunning: boolean
  readonly isNew: boolean
}

function printStart({ root, port, host, token, isRunning, isNew }: StartedServer, options: UpOptions): void {
  const isHere = isLoopback(host)
  const name = isHere
    ? plainHost(host)
    : plainHost(isAnyAddress(host) ? (ownAddress() ?? THIS_MACHINE) : host)
  const url = `http://${name}:${port}/#token=${token.read()}`
  if (options.isJson)
    process.stdout.write(
      `${JSON.stringify({ url, root, port, host, pid: isRunning ? null : ownProcessId(), isRunning, isNew })}\n`,
    )
  else
    process.stdout.write(
      [
        `Memory Vault of ${root}${isNew ? ' (new)' : ''}`,
        `  ${url}`,
        ...(isHere
          ? []
          : [
              `  It listens at ${host}: everyone who reaches that address and has the token can read and change this memory,`,
              '  and the connection is not encrypted. Share the address only with people who may have the folder.',
            ]),
        ...(options.trustsLocal && !isRunning
          ? ['  Every program on this machine may change it without a token (--trust-local).']
          : []),
        isRunning ? '  It is being served already.' : '  Ctrl+C ends it.',
        '',
      ].join('\n'),
    )
  if (options.isOpened && hasScreen()) openBrowser(url)
}

function plainHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function ownAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find(each => each !== undefined && !each.internal && each.family === 'IPv4')?.address
}
