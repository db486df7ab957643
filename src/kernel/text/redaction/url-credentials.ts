import { isStandIn } from './literal-value.ts'
import type { Range, Span } from './placeholder.ts'

/** A URL ends where a reader would end it. Passwords may contain any other punctuation. */
const URL_END = /[\s"'`<>\\]|$/g
const MAX_SCHEME_LENGTH = 24
/** No real userinfo is longer; the bound keeps `://://://…` linear. */
const MAX_USERINFO_LENGTH = 512
/** How many `://` of one run, and how many `@` of one URL, are checked; also a bound for hostile text. */
const MAX_CANDIDATES = 8
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5}|:\$?\{[^}]{0,40}\})?(?=[/?#,;.)\]}]|$)/i
const PORT_ONLY = /^\d{1,5}(?:[/?#]|$)/
const USER = /^[^:/@?#[\]]*$/
/** `https://<token>@host`: a user name alone is not a secret, a key in its place is. */
const KEY_AS_USER = /^(?=[^@]*\d)(?=[^@]*[A-Za-z])[\w.%~-]{16,}$/

/** Every `scheme://…` in the text, with or without credentials. */
export function findUrls(text: string): Range[] {
  const urls: Range[] = []
  for (let mark = text.indexOf('://'); mark !== -1; mark = text.indexOf('://', mark + 3)) {
    // A second `://` in the same run (`?next=https://…`) belongs to the first one.
    if (mark < (urls.at(-1)?.end ?? 0)) continue
    let start = mark
    while (start > 0 && mark - start < MAX_SCHEME_LENGTH && /[\w+.-]/.test(text.charAt(start - 1))) start -= 1
    URL_END.lastIndex = mark
    urls.push({ start, end: URL_END.exec(text)?.index ?? text.length })
  }
  return urls
}

/**
 * The `user:password` of `scheme://user:password@host`; scheme and host stay, so the sentence keeps its meaning:
 *
 *   postgresql://app:s3cr3t@db.host:5432/app  →  postgresql://[redacted:connection_string]@db.host:5432/app
 */
export function findUrlCredentials(text: string, urls: readonly Range[]): Span[] {
  const spans: Span[] = []
  for (const url of urls) {
    let mark = text.indexOf('://', url.start)
    for (let tried = 0; tried < MAX_CANDIDATES && mark !== -1 && mark < url.end; tried += 1) {
      const start = mark + 3
      const rest = text.slice(start, Math.min(url.end, start + MAX_USERINFO_LENGTH))
      const at = findUserinfoEnd(rest)
      mark = text.indexOf('://', start)
      if (at <= 0 || !isSecretUserinfo(rest.slice(0, at))) continue
      spans.push({ type: 'connection_string', start, end: start + at })
      break
    }
  }
  return spans
}

/** The position of the `@` before the host in `user:p@ss/w#rd@host/path`, or -1. */
function findUserinfoEnd(rest: string): number {
  const authorityEnd = rest.search(/[/?#]/)
  const authority = authorityEnd === -1 ? rest : rest.slice(0, authorityEnd)
  const inAuthority = authority.lastIndexOf('@')
  if (inAuthority !== -1) return inAuthority
  // An unescaped `/`, `?` or `#` in the password: only after `user:`, and not where a port explains the colon.
  const colon = authority.indexOf(':')
  if (colon === -1 || PORT_ONLY.test(rest.slice(colon + 1)) || authority.startsWith('[')) return -1
  let at = rest.indexOf('@', colon)
  for (let tried = 0; tried < MAX_CANDIDATES && at !== -1; tried += 1) {
    if (HOST.test(rest.slice(at + 1))) return at
    at = rest.indexOf('@', at + 1)
  }
  return -1
}

function isSecretUserinfo(userinfo: string): boolean {
  const colon = userinfo.indexOf(':')
  if (colon === -1) return KEY_AS_USER.test(userinfo)
  const user = userinfo.slice(0, colon)
  const password = userinfo.slice(colon + 1)
  if (password === '' || !USER.test(user)) return false
  // `<token>:x-oauth-basic@host`: the key is in the place of the user.
  return !isStandIn(password) || KEY_AS_USER.test(user)
}
