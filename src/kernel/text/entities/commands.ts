import type { Entity } from '../../model/graph.ts'
import { codeSpans, type TextSpan } from '../prose.ts'

/** Programs whose first argument says what they do. After the colon: subcommands that count in prose too. */
const WITH_SUBCOMMAND: Readonly<Record<string, string>> = {
  npm: 'install ci run test start publish audit update link exec',
  pnpm: 'install add run test exec dlx build',
  yarn: 'install add run test build',
  bun: 'install add run test',
  pip: 'install freeze',
  pip3: 'install freeze',
  pipx: 'install',
  poetry: 'install add run lock build',
  uv: 'add sync pip lock run',
  conda: 'install create',
  cargo: 'build test run bench add install clippy fmt check publish doc',
  go: 'get build test mod generate vet install',
  gem: 'install',
  bundle: 'install exec',
  composer: 'install require update',
  dotnet: 'build test run publish restore ef add',
  mvn: 'clean test package install verify',
  gradle: 'build test',
  docker: 'build compose run push pull exec',
  podman: 'build run',
  kubectl: 'apply get rollout delete logs exec describe port-forward',
  helm: 'upgrade install rollback template',
  terraform: 'apply plan init import destroy',
  git: 'rebase bisect cherry-pick stash push pull commit checkout reset revert merge worktree clone fetch',
  gh: 'pr run release workflow issue',
  brew: 'install upgrade',
  apt: 'install update',
  'apt-get': 'install update',
  apk: 'add',
  systemctl: 'restart reload start stop status',
  flyctl: 'deploy',
  fly: '',
  heroku: '',
  vercel: '',
  netlify: '',
  wrangler: '',
  firebase: '',
  supabase: '',
  aws: '',
  gcloud: '',
  az: '',
  nx: '',
  turbo: '',
  lerna: '',
  make: '',
  just: '',
  task: '',
  rake: '',
  rails: '',
  mix: '',
  flutter: 'pub build test run',
  dart: 'pub',
  alembic: 'upgrade downgrade revision',
  prisma: 'migrate generate',
  django: '',
  npx: '',
  bunx: '',
  pnpx: '',
  ansible: '',
  vagrant: '',
  cairn: '',
  biome: '',
  tox: '',
  nix: '',
  pulumi: 'up preview',
  hardhat: '',
  swift: 'build test',
  pod: 'install',
  xcodebuild: '',
  adb: '',
  redis: '',
  sls: '',
  cdk: 'deploy synth',
  deno: 'run test task',
}
/** Programs that are a command on their own, whatever follows. */
const PLAIN = new Set(
  `node python python3 ruby php java bash sh zsh curl wget ssh scp rsync psql pg_dump pg_restore mysql mongosh redis-cli
   pytest jest vitest mocha eslint prettier tsc tsx ts-node ruff mypy black phpunit rspec rubocop gofmt golangci-lint
   kill grep rg sed awk jq find ls cat rm cp mv chmod chown tar docker-compose nginx openssl ffmpeg protoc cmake ninja
   ansible-playbook k6 ab wrk sqlite3 journalctl crontab tail gunicorn uvicorn celery playwright cypress`
    .split(/\s+/)
    .filter(word => word !== ''),
)
/** Second words that need a third. */
const GOES_ON = new Set(
  'run exec compose cache x dlx pip mod tool config set pub pr workflow release ef db package'.split(' '),
)
/** Programs that run another one: its first word is part of the name. */
const RUNNERS = new Set('npx bunx pnpx gh aws gcloud az'.split(' '))
/** Subcommands of pnpm and yarn. Any other second word is a program of the project. */
const OWN_WORDS = new Set(
  'install add run test start publish audit update link exec dlx build ci i remove up why dev lint cache config set create init'.split(
    ' ',
  ),
)

const WORD = /^[a-zA-Z][\w:.-]*$/
const ASSIGNMENT = /^[A-Z_][A-Z0-9_]*=/
const SCRIPT = /^\.{0,2}[\\/](?:[\w.-]+[\\/])*[\w.-]+$|^bin\/[\w-]+$/
/** A path alone in backticks is a file, unless it is executable. */
const RUNS_ALONE = /[\\/][\w-]+(?:\.(?:sh|bash|ps1|bat|cmd))?$/
const MAX_LENGTH = 400
const MAX_COMMANDS = 64

export interface FoundCommand {
  readonly entity: Entity
  /** Its arguments, which may be packages that it installs. */
  readonly words: readonly string[]
  readonly span: TextSpan
  readonly isCode: boolean
}

/** A command line → its program and subcommand. `sudo FOO=1 npm run build -- --fast` → `npm run build` */
export function commandName(line: string): { name: string; words: string[] } | undefined {
  const words = line.slice(0, MAX_LENGTH).trim().split(/\s+/)
  while (words[0] === 'sudo' || words[0] === 'time' || ASSIGNMENT.test(words[0] ?? '')) words.shift()
  const [program = '', second = '', third = ''] = words
  if (SCRIPT.test(program) && (words.length > 1 || RUNS_ALONE.test(program))) {
    const script = program.replaceAll('\\', '/')
    return { name: (WORD.test(second) ? `${script} ${second}` : script).toLowerCase(), words }
  }
  if (words.length < 2) return undefined
  if (/^python3?$/.test(program) && second === '-m' && WORD.test(third))
    return { name: `python -m ${third}`, words }
  if (PLAIN.has(program)) return { name: program, words }
  if (!Object.hasOwn(WITH_SUBCOMMAND, program)) return undefined
  if (!WORD.test(second))
    return second.startsWith('-') ? { name: program, words } : runnerOf(program, second, words)
  const isOwnProgram = (program === 'pnpm' || program === 'yarn') && !OWN_WORDS.has(second)
  const goesOn = GOES_ON.has(second) || RUNNERS.has(program) || isOwnProgram
  return {
    name: goesOn && WORD.test(third) ? `${program} ${second} ${third}` : `${program} ${second}`,
    words,
  }
}

/** `npx @biomejs/biome check` */
function runnerOf(program: string, second: string, words: string[]) {
  return RUNNERS.has(program) && second.startsWith('@') ? { name: `${program} ${second}`, words } : undefined
}

const PROMPT = /^\s*(?:[$%>❯]|PS>)\s+(?=\S)/
const SHELL_FENCE =
  /^\s*(?:`{3,}|~{3,})\s*(?:sh|bash|shell|zsh|console|shell-session|terminal|powershell|ps1)\b/
const FENCE = /^\s*(?:`{3,}|~{3,})/
const COMMENT = /(?:^|\s)#\s.*$/
/** In prose, only pairs that do not occur by chance; case matters. */
const IN_PROSE = new RegExp(
  `(?<![\\w/.@-])(${Object.entries(WITH_SUBCOMMAND)
    .filter(([, known]) => known !== '')
    .map(([program, known]) => `${program} (?:${known.split(' ').join('|')})`)
    .join('|')})(?![\\w-])`,
  'g',
)
const MAY_BE_PROSE =
  / (?:install|ci|run|test|add|get|build|apply|plan|rollout|rebase|compose|upgrade|deploy|publish|migrate|push|pull)\b/

export function findCommands(text: string): FoundCommand[] {
  const found: FoundCommand[] = []
  const take = (line: string, at: number, isCode: boolean) => {
    const command = commandName(line)
    if (command === undefined || found.length >= MAX_COMMANDS) return
    const length = Math.min(line.length, MAX_LENGTH)
    found.push({
      entity: { type: 'command', name: command.name, text: line.slice(0, length).trim(), at },
      words: command.words,
      span: { start: at, end: at + length },
      isCode,
    })
  }
  const hasCode = text.includes('`') || text.includes('~~~')
  if (hasCode) {
    for (const { start, end } of codeSpans(text)) {
      const inner = text.slice(start, Math.min(end, start + MAX_LENGTH)).replace(/^`+|`+$/g, '')
      if (!inner.includes('\n')) take(inner.replace(PROMPT, ''), start + 1, true)
    }
  }
  if (text.includes('$ ') || hasCode) linesOfShell(text, take)
  // "go get" and "git push" are also words: prose must contain a known pair.
  if (MAY_BE_PROSE.test(text)) {
    for (const match of text.matchAll(IN_PROSE)) {
      const isKnown = found.some(({ span }) => match.index >= span.start && match.index < span.end)
      const line = text.slice(match.index, match.index + MAX_LENGTH).split('\n', 1)[0] ?? ''
      const [program, subcommand, argument = ''] = line.split(/\s+/, 3)
      if (isKnown || (program === 'go' && !/^(?:\.|-|[\w-]+\.\w)/.test(argument))) continue
      take(`${program} ${subcommand} ${argument}`.trim(), match.index, false)
    }
  }
  return found
}

function linesOfShell(text: string, take: (line: string, at: number, isCode: boolean) => void): void {
  let fence: 'none' | 'shell' | 'other' = 'none'
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, Math.min(end, start + MAX_LENGTH))
    if (FENCE.test(line)) fence = fence !== 'none' ? 'none' : SHELL_FENCE.test(line) ? 'shell' : 'other'
    else if (PROMPT.test(line) || fence === 'shell') {
      const command = line.replace(PROMPT, '').replace(COMMENT, '')
      take(command, start + line.length - line.replace(PROMPT, '').length, true)
    }
    start = end + 1
  }
}
