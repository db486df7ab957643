import type { Entity } from '../../model/graph.ts'
import type { FoundCommand } from './commands.ts'
import { isStandardModule } from './known-packages.ts'

const SCOPED = /^(@[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*)(?:@[\w.^~*-]+|\/[\w./-]*)?$/i
const WITH_VERSION = /^([a-z][\w.-]*)@(?:[\^~v]{0,2}\d[\w.+-]*|latest|next|beta|canary)$/i
const PIP_PIN = /^([a-z][\w.-]*)(?:\[[\w,-]*\])?(?:[=~!<>]=|===)\d[\w.*]*$/i
const MAVEN = /^((?:com|org|io|net|dev|br)(?:\.[a-z][\w-]*)+:[a-z][\w.-]*)(?::[\w.-]+)?$/
const GO_MODULE =
  /^((?:github\.com|gitlab\.com|bitbucket\.org)\/[\w.-]+\/[\w.-]+(?:\/v\d+)?|(?:golang\.org|go\.uber\.org|google\.golang\.org|gopkg\.in|k8s\.io)\/[\w./-]*\w)/
const RUST_PATH = /^([a-z][a-z0-9_]*)::[\w:{}*<>]+/

/** The package that a word alone identifies: a scope, a version, a module path. */
export function packageOfWord(word: string): string | undefined {
  if (word.includes('@')) {
    const name = SCOPED.exec(word)?.[1] ?? WITH_VERSION.exec(word)?.[1]
    return name?.toLowerCase()
  }
  if (word.includes('=')) return PIP_PIN.exec(word)?.[1]?.toLowerCase()
  if (word.includes('::')) {
    const name = RUST_PATH.exec(word)?.[1]
    return name === undefined || isStandardModule(name) ? undefined : name
  }
  if (word.includes(':')) return MAVEN.exec(word)?.[1]
  return word.includes('/') ? GO_MODULE.exec(word)?.[1] : undefined
}

/** `from 'zod'`, `require("sharp")`, `import('x')`, `Cannot find module 'sharp'` */
const QUOTED_MODULE =
  /(?:\bfrom|\brequire ?\(|\bimport ?\(?|\bmodule|\bpackage) ?["'`]((?:@[\w.-]+\/)?[a-zA-Z][\w.-]*)(?:\/[\w./-]*)?["'`]/g
const PYTHON_FROM = /(?:^|[\n`]) *from ([a-z_]\w*)(?:\.\w+)* import \w/g
const PYTHON_IMPORT = /(?:^|[\n`]) *import ([a-z_]\w*)(?:\.\w+)*(?: as \w+)? *(?=$|[\n`])/g
/** `serde_json = { version…`, `tracing = "0.1"` */
const TOML_DEPENDENCY =
  /(?<![\w.-])([a-z][\w-]*) = (?:"[\^~=]?\d[\w.]*"|\{ ?(?:version|features|path|git|workspace)\b)/g
const NPM_DEPENDENCY = /"((?:@[\w.-]+\/)?[a-z][\w.-]*)": ?"[\^~]\d[\w.]*"/g

/** Names that are packages according to the text around them. */
export function packagesInContext(text: string): Entity[] {
  const found: Entity[] = []
  const scan = (pattern: RegExp) => {
    for (const match of text.matchAll(pattern)) {
      const name = match[1] ?? ''
      if (isStandardModule(name)) continue
      found.push({
        type: 'package',
        name: name.toLowerCase(),
        text: name,
        at: match.index + match[0].indexOf(name),
      })
    }
  }
  if (
    text.includes('import') ||
    text.includes('require') ||
    text.includes('module') ||
    text.includes('package')
  ) {
    scan(QUOTED_MODULE)
    scan(PYTHON_FROM)
    scan(PYTHON_IMPORT)
  }
  if (text.includes(' = ')) scan(TOML_DEPENDENCY)
  if (text.includes('": ')) scan(NPM_DEPENDENCY)
  return found
}

const INSTALLERS =
  /^(?:npm (?:install|i|add)|(?:pnpm|yarn|bun|poetry|uv|cargo) add|(?:pip3?|gem|brew|apt|apt-get|conda|pipx|cargo) install|apk add|composer require|go (?:get|install)|uv pip install|dotnet add package)$/
const INSTALLED =
  /^["']?((?:@[\w.-]+\/)?[A-Za-z][\w.-]*(?:\/[\w.-]+)*)(?:\[[\w,-]*\])?(?:@[\w.^~-]+|[=~<>]=?[\w.*]+)?["']?$/

/** The packages of an install command. In prose only the first word counts. */
export function installedPackages(text: string, command: FoundCommand): Entity[] {
  if (!INSTALLERS.test(command.entity.name)) return []
  const found: Entity[] = []
  const skipped = command.entity.name.split(' ').length
  for (const word of command.words.slice(skipped)) {
    if (word.startsWith('-')) continue
    const name = INSTALLED.exec(word)?.[1]
    if (name === undefined) break
    const at = text.indexOf(name, command.span.start)
    found.push({ type: 'package', name: name.toLowerCase(), text: name, at: Math.max(0, at) })
    if (!command.isCode) break
  }
  return found
}
