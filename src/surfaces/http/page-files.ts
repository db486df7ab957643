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

/** Compressed variants that the build stores next to a file, best first. */
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
  /** A hub serves the page below every project too, and marks its document. */
  readonly projectPath?: string
}

/** Tells the page's first script, before any answer, that it runs on a hub. */
const HUB_MARK = '<meta name="cairn-hub" content="yes" />'

/** The page that was built into the package: read once. Only files of the build can be requested. */
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
      // The names of built files contain a hash of their content.
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
  const all = { ...headers, etag }
  if (isKnown(req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers: all })
  return new Response(bodyByEncoding.get(encoding), {
    headers: { ...all, ...(encoding !== 'identity' && { 'content-encoding': encoding }) },
  })
}

function isKnown(given: string | undefined, etag: string): boolean {
  return (
    given?.split(',').some(each => each.trim().replace(/^W\//, '') === etag || each.trim() === '*') === true
  )
}
