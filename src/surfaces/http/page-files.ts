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

/** The page as it was built into the package: read once, and nothing but what is listed there can be asked for. */
export function servePage(app: Hono, folder: string): void {
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    if (!fs.statSync(file).isFile() || ENCODINGS.some(([, end]) => name.endsWith(end))) continue
    const at = `/${name.split(path.sep).join('/')}`
    const read = readPageFile(file, at)
    app.get(at, context => answer(context, read))
    if (at === '/index.html') app.get('/', context => answer(context, read))
  }
}

function readPageFile(file: string, at: string): PageFile {
  const whole = new Uint8Array(fs.readFileSync(file))
  const bodyByEncoding = new Map([['identity', whole]])
  for (const [encoding, end] of ENCODINGS)
    if (fs.existsSync(`${file}${end}`))
      bodyByEncoding.set(encoding, new Uint8Array(fs.readFileSync(`${file}${end}`)))
  return {
    tag: createHash('sha256').update(whole).digest('hex').slice(0, 16),
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

export function isKnown(given: string | undefined, etag: string): boolean {
  return (
    given?.split(',').some(each => each.trim().replace(/^W\//, '') === etag || each.trim() === '*') === true
  )
}
