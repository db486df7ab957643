import type { Range, Span } from './placeholder.ts'

/** RFC 5321: 64 octets before the @, 255 after. The bounds keep `a@a@a@…` linear. */
const MAX_LOCAL_LENGTH = 64
const MAX_DOMAIN_LENGTH = 255
const LOCAL = /[\p{L}\p{N}._%+-]{1,64}$/u
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.)+[\p{L}]{2,24}/u

/** Last labels that are not a top-level domain: file names (`logo@2x.png`), systemd units, attributes, private networks. */
const NOT_A_TLD = new Set(
  (
    'png jpg jpeg gif svg webp avif ico bmp css scss less js mjs cjs jsx ts tsx json html htm xml yml yaml toml lock tgz gz tar ' +
    'map txt csv pdf java kt php rb cpp hpp exe dll jar war whl service socket timer target mount slice shape dtype ' +
    'local internal interno lan localhost localdomain cluster svc'
  ).split(' '),
)
/** RFC 2606 and 6761: these domains have no mailboxes. */
const RESERVED_DOMAIN = /(?:^|\.)(?:example(?:\.(?:com|net|org|edu))?|test|invalid)$/i
/** Top-level domains required for an address inside a path: `packages/pkg@release.next` is not a mailbox. */
const COMMON_TLD = new Set(
  'com org net edu gov io dev app co me ai info biz eu uk us ca au nz ie de at ch fr be nl it es pt br mx ar cl pe se no dk fi pl cz in jp cn kr xyz online site shop store tech cloud email live club pro agency digital studio systems software solutions group health legal law ro hu gr tr za ng ke ph sg hk tw id my th vn sk lat uy py bo ec ve gmbh eus cat'.split(
    ' ',
  ),
)
/** Accounts of machines: `git@github.com:org/repo.git`, `ssh ubuntu@host`. */
const SERVICE_USERS = new Set([
  'git',
  'hg',
  'svn',
  'root',
  'ubuntu',
  'ec2-user',
  'centos',
  'debian',
  'vagrant',
  'deploy',
])
const REMOTE_SHELL = /\b(?:ssh|scp|rsync|sftp|mosh|ssh-copy-id)\s(?:-\S+\s(?:[\w./~-]+\s)?){0,4}$/

/** `credentials` are those of URLs: the end of a password and a host look like an address, and the host must stay. */
export function findEmails(text: string, credentials: readonly Range[]): Span[] {
  const spans: Span[] = []
  const loginEnds = new Set(credentials.map(range => range.end))
  let searched = 0
  for (const { index: at, 0: sign } of text.matchAll(/@|%40/g)) {
    const before = LOCAL.exec(text.slice(Math.max(searched, at - MAX_LOCAL_LENGTH), at))?.[0]
    // In an encoded address `%20` ends the word before it.
    const local = before?.replace(sign === '@' ? /^[.%+-]+/ : /^(?:.*%[0-9A-Fa-f]{2})?[.%+-]*/, '')
    if (local === undefined || local === '') continue
    const domain = DOMAIN.exec(text.slice(at + sign.length, at + sign.length + MAX_DOMAIN_LENGTH))?.[0]
    if (domain === undefined) continue
    const span: Span = { type: 'email', start: at - local.length, end: at + sign.length + domain.length }
    if (loginEnds.has(at)) continue
    if (!isMailbox(text, span, { local, domain })) continue
    spans.push(span)
    searched = span.end
  }
  return spans
}

function isMailbox(text: string, span: Span, { local, domain }: { local: string; domain: string }): boolean {
  const tld = domain.slice(domain.lastIndexOf('.') + 1).toLowerCase()
  if (NOT_A_TLD.has(tld) || SERVICE_USERS.has(local.toLowerCase())) return false
  const before = text.charAt(span.start - 1)
  const after = text.slice(span.end, span.end + 80)
  if (RESERVED_DOMAIN.test(domain) || /^no-?reply$/i.test(local)) return false
  // `https://user@host/…` and `actions/checkout@release.v4` are addresses of things; `a@b.transpose()` is code.
  if (before === '/' && (text.charAt(span.start - 2) === '/' || !COMMON_TLD.has(tld))) return false
  if (after.startsWith('(') || after.startsWith('@')) return false
  // scp: `deploy@host.com:/var/www`. A plain colon after an address ends a clause.
  if (/^:[\w.~-]*\//.test(after)) return false
  return !REMOTE_SHELL.test(text.slice(Math.max(0, span.start - 80), span.start))
}
