import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { getBrowser } from '../support/find-browser.mjs'

const CAIRN = fileURLToPath(new URL('../../dist/cairn.cjs', import.meta.url))
const ARTEFACTS = fileURLToPath(new URL('../artefacts/page/', import.meta.url))

export interface PageWorld {
  /** A scratch project. */
  readonly root: string
  /** The home folder of a scratch user. */
  readonly home: string
  readonly page: Page
  readonly browser: Browser
  /** The address with the token in its fragment. */
  readonly url: string
  /** Runs a command on the same memory and returns its output. */
  run(...words: string[]): string
  /** Saves a screenshot under test/artefacts/page. */
  picture(name: string): Promise<void>
  /** Errors that the page threw or wrote to its console. */
  readonly faults: string[]
  /** Kills the server, or starts it again at the same address. */
  readonly server: { kill(): Promise<void>; start(): Promise<void> }
}

interface Options {
  readonly width?: number
  readonly height?: number
  /** A folder in the scratch folder that comes first in PATH. */
  readonly programs?: string
  /** Arguments of `cairn up`. */
  readonly flags?: readonly string[]
  /** Fills the memory before the server starts. */
  readonly before?: (world: Pick<PageWorld, 'root' | 'home' | 'run'>) => void | Promise<void>
}

/** A scratch memory, its server, and a browser at its page. Every started process is ended by its id. */
export async function inPage(
  work: (world: PageWorld) => Promise<void>,
  { width = 1280, height = 800, programs, flags = [], before }: Options = {},
): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'cairn-page-'))
  const root = path.join(scratch, 'project')
  const home = path.join(scratch, 'user')
  mkdirSync(root)
  mkdirSync(ARTEFACTS, { recursive: true })
  const env = {
    ...process.env,
    CAIRN_HOME: home,
    HOME: scratch,
    NO_COLOR: '1',
    ...(programs !== undefined && {
      PATH: [path.join(scratch, programs), process.env.PATH].join(path.delimiter),
    }),
  }
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [CAIRN, ...words], { cwd: root, env, encoding: 'utf8' })
  let server: ChildProcess | undefined
  const start = async (port: string) => {
    server = spawn(process.execPath, [CAIRN, 'up', '--port', port, '--no-open', ...flags], { cwd: root, env })
    return addressOf(server)
  }
  let browser: Browser | undefined
  try {
    await before?.({ root, home, run })
    const url = await start('0')
    browser = await openBrowser()
    const context = await browser.newContext({ viewport: { width, height } })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.goto(url)
    const picture = async (name: string) => {
      await page.screenshot({ path: path.join(ARTEFACTS, `${name}.png`) })
    }
    const restartable = {
      kill: () => ended(server, 'SIGKILL'),
      start: async () => void (await start(new URL(url).port)),
    }
    await work({ root, home, page, browser, url, run, picture, faults, server: restartable })
  } finally {
    await browser?.close()
    await ended(server)
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: getBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

async function addressOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error('the server has no output')
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url !== undefined) return url
  }
  throw new Error('the server ended before it printed its address')
}

async function ended(server: ChildProcess | undefined, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
  const exit = new Promise(resolve => server.once('exit', resolve))
  server.kill(signal)
  await exit
}
