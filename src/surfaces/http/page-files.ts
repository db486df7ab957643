import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Context, Hono } from 'hono'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** What the build has compressed beside a file, best first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

interface PageFile {
  readonly headers: Readonly<Record<string, string>>
  readonly tag: string
  readonly bodyByEncoding: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

interface PageOptions {
  /** A hub: the page is at every project too, and its document says that it is of a hub. */
  readonly projectPath?: string
}

/** Written into the document for the page's first script, which knows before any answer what it is to ask. */
const HUB_MARK = '<meta name="cairn-hub" content="yes" />'

/** The page as it was built into the package: read once, and nothing but what is listed there can be asked for. */
export function servePage(app: Hono, folder: string, { projectPath }: PageOptions = {}): void {
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    if (!fs.statSync(file).isFile() || ENCODINGS.some(([, end]) => name.endsWith(end))) continue
    const at = `/${name.split(path.sep).join('/')}`
    const isHub = projectPath !== undefined && at === '/index.html'
    const read = isHub ? hubDocument(file, at) : readPageFile(file, at)
    app.get(at, context => answer(context, read))
    if (at === '/index.html') app.get('/', context => answer(context, read))
    if (isHub) {
      app.get(`${projectPath}/`, context => answer(context, read))
      app.get(projectPath, context => context.redirect(`${context.req.path}/`, 308))
    }
  }
}

function hubDocument(file: string, at: string): PageFile {
  const { headers } = readPageFile(file, at)
  const text = fs.readFileSync(file, 'utf8').replace('<head>', `<head>${HUB_MARK}`)
  const whole = new TextEncoder().encode(text)
  return { headers, tag: tagOf(whole), bodyByEncoding: new Map([['identity', whole]]) }
}

function tagOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

function readPageFile(file: string, at: string): PageFile {
  const whole = new Uint8Array(fs.readFileSync(file))
  const bodyByEncoding = new Map([['identity', whole]])
  for (const [encoding, end] of ENCODINGS)
    if (fs.existsSync(`${file}${end}`))
      bodyByEncoding.set(encoding, new Uint8Array(fs.readFileSync(`${file}${end}`)))
  return {
    tag: tagOf(whole),
    bodyByEncoding,
    headers: {
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      // Built files are named by what is in them.
      'cache-control': at.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
    },
  }
}

function answer({ req }: Context, { headers, tag, bodyByEncoding }: PageFile): Response {
  const accepted = (req.header('accept-encoding') ?? '')
    .split(',')
    .filter(word => !/;\s*q=0(?:\.0*)?\s*$/.test(word))
    .map(word => word.split(';')[0]?.trim().toLowerCase())
  const encoding =
    ENCODINGS.map(([name]) => name).find(name => accepted.includes(name) && bodyByEncoding.has(name)) ??
    'identity'
  const etag = `"${tag}-${encoding}"`
  const told = { ...headers, etag }
  if (isKnown(req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers: told })
  return new Response(bodyByEncoding.get(encoding), {
    headers: { ...told, ...(encoding !== 'identity' && { 'content-encoding': encoding }) },
  })
}

function isKnown(given: string | undefined, etag: string): boolean {
  return (
    given?.split(',').some(each => each.trim().replace(/^W\//, '') === etag || each.trim() === '*') === true
  )
}
