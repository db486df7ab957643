import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Hono } from 'hono'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The page as it was built into the package: read once, and nothing but what is listed there can be asked for. */
export function servePage(app: Hono, folder: string): void {
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    if (!fs.statSync(file).isFile()) continue
    const at = `/${name.split(path.sep).join('/')}`
    const body = fs.readFileSync(file)
    const headers = {
      'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      'cache-control': at.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    }
    const answer = () => new Response(new Uint8Array(body), { headers })
    app.get(at, answer)
    if (at === '/index.html') app.get('/', answer)
  }
}
