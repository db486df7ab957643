/** What a command checks. */
export type CheckKind = 'test' | 'types' | 'lint' | 'build' | 'format'

export interface CheckCommand {
  /** As a person would run it: without selected files, filters and verbosity flags. */
  readonly command: string
  /** Identifies the check: the command without the runner in front. */
  readonly key: string
  readonly check: CheckKind
  /** The selected part, if it was not everything: files, names of tests. */
  readonly selection: readonly string[]
}

/** A subcommand, or a required flag, and what the program then checks. `*`: any. */
type Rules = readonly (readonly [pattern: RegExp | '*', check: CheckKind])[]

const SCRIPT: Rules = [
  [
    /^(?:tests?|specs?|unit|e2e|integration|coverage|cov|verify|validate|ci)(?:[:._-]\S*)?$|[:._-]tests?$/,
    'test',
  ],
  [/^(?:type-?checks?|types|tsc|check[:._-]types)(?:[:._-]\S*)?$/, 'types'],
  [/^(?:format|fmt|prettier|style)[:._-](?:check|verify|ci)$|^check[:._-](?:format|fmt|style)$/, 'format'],
  [/^(?:lint|eslint|checkstyle)(?:[:._-](?!fix)\S*)?$|^check[:._-]lint$/, 'lint'],
  [/^(?:build|compile)(?:[:._-]\S*)?$/, 'build'],
  [/^(?:checks?)(?:[:._-]\S*)?$/, 'test'],
]
const JVM: Rules = [
  [/(?:^|:)(?:test|\w*Test|check|verify|integration-test)$/, 'test'],
  [/(?:^|:)(?:ktlintCheck|detekt|lint\w*|checkstyle\w*|spotlessCheck)$|spotless:check/, 'lint'],
  [/(?:^|:)(?:build|assemble\w*|compile\w*|package|install)$/, 'build'],
]
const only = (check: CheckKind): Rules => [['*', check]]

const PROGRAMS: Readonly<Record<string, Rules>> = {
  // Scripts and targets: identified by their names.
  npm: [...SCRIPT, [/^t$/, 'test']],
  pnpm: SCRIPT,
  yarn: SCRIPT,
  bun: SCRIPT,
  make: SCRIPT,
  gmake: SCRIPT,
  just: SCRIPT,
  task: SCRIPT,
  mise: SCRIPT,
  rake: SCRIPT,
  nx: SCRIPT,
  turbo: SCRIPT,
  lerna: SCRIPT,
  moon: SCRIPT,
  composer: SCRIPT,
  hatch: SCRIPT,
  ng: SCRIPT,
  invoke: SCRIPT,
  // JavaScript
  vitest: only('test'),
  jest: only('test'),
  mocha: only('test'),
  ava: only('test'),
  tap: only('test'),
  c8: only('test'),
  nyc: only('test'),
  karma: only('test'),
  playwright: [[/^test$/, 'test']],
  cypress: [[/^run$/, 'test']],
  node: [[/^--test$/, 'test']],
  deno: [
    [/^test$/, 'test'],
    [/^check$/, 'types'],
    [/^lint$/, 'lint'],
    [/^fmt$/, 'format'],
  ],
  tsc: only('types'),
  'vue-tsc': only('types'),
  'svelte-check': only('types'),
  tsd: only('types'),
  eslint: only('lint'),
  oxlint: only('lint'),
  stylelint: only('lint'),
  standard: only('lint'),
  xo: only('lint'),
  knip: only('lint'),
  biome: [
    [/^(?:check|ci|lint)$/, 'lint'],
    [/^format$/, 'format'],
  ],
  prettier: [[/^(?:--check|-c|-l|--list-different)$/, 'format']],
  vite: [[/^build$/, 'build']],
  next: [
    [/^build$/, 'build'],
    [/^lint$/, 'lint'],
  ],
  astro: [
    [/^check$/, 'types'],
    [/^build$/, 'build'],
  ],
  webpack: only('build'),
  rollup: only('build'),
  tsup: only('build'),
  // Python
  pytest: only('test'),
  'py.test': only('test'),
  unittest: only('test'),
  tox: only('test'),
  nox: only('test'),
  mypy: only('types'),
  pyright: only('types'),
  basedpyright: only('types'),
  ty: only('types'),
  flake8: only('lint'),
  pylint: only('lint'),
  ruff: [
    [/^check$/, 'lint'],
    [/^format$/, 'format'],
  ],
  black: [[/^(?:--check|--diff)$/, 'format']],
  isort: [[/^(?:--check|--check-only|-c|--diff)$/, 'format']],
  bandit: only('lint'),
  'pre-commit': [[/^run$/, 'lint']],
  'manage.py': [[/^(?:test|check)$/, 'test']],
  // Rust, Go
  cargo: [
    [/^(?:test|nextest|t)$/, 'test'],
    [/^clippy$/, 'lint'],
    [/^(?:check|c)$/, 'types'],
    [/^(?:build|b)$/, 'build'],
    [/^fmt$/, 'format'],
    [/^(?:deny|audit)$/, 'lint'],
  ],
  go: [
    [/^test$/, 'test'],
    [/^vet$/, 'lint'],
    [/^build$/, 'build'],
  ],
  gotestsum: only('test'),
  'golangci-lint': [[/^run$/, 'lint']],
  staticcheck: only('lint'),
  gofmt: [[/^-[a-z]*[ld][a-z]*$/, 'format']],
  // JVM
  gradle: JVM,
  gradlew: JVM,
  mvn: JVM,
  mvnw: JVM,
  sbt: [
    [/^(?:test|\w+\/test)$/i, 'test'],
    [/^(?:compile|\w+\/compile)$/i, 'build'],
  ],
  lein: [[/^test$/, 'test']],
  ktlint: only('lint'),
  detekt: only('lint'),
  // .NET, Ruby, PHP, Elixir, Swift, Dart, Haskell, C
  dotnet: [
    [/^test$/, 'test'],
    [/^(?:build|msbuild)$/, 'build'],
    [/^format$/, 'format'],
  ],
  rspec: only('test'),
  rubocop: only('lint'),
  standardrb: only('lint'),
  sorbet: only('types'),
  rails: [[/^test(?::\w+)?$/, 'test']],
  phpunit: only('test'),
  pest: only('test'),
  artisan: [[/^test$/, 'test']],
  phpstan: only('types'),
  psalm: only('types'),
  phpcs: only('lint'),
  mix: [
    [/^test(?:\.\w+)?$/, 'test'],
    [/^(?:credo)$/, 'lint'],
    [/^dialyzer$/, 'types'],
    [/^compile$/, 'build'],
    [/^format$/, 'format'],
  ],
  swift: [
    [/^test$/, 'test'],
    [/^build$/, 'build'],
  ],
  swiftlint: only('lint'),
  xcodebuild: [
    [/^test$/, 'test'],
    [/^build$/, 'build'],
  ],
  dart: [
    [/^test$/, 'test'],
    [/^analyze$/, 'types'],
  ],
  flutter: [
    [/^test$/, 'test'],
    [/^analyze$/, 'types'],
    [/^build$/, 'build'],
  ],
  stack: [
    [/^test$/, 'test'],
    [/^build$/, 'build'],
  ],
  cabal: [
    [/^test$/, 'test'],
    [/^build$/, 'build'],
  ],
  zig: [
    [/^test$/, 'test'],
    [/^build$/, 'build'],
  ],
  bazel: [
    [/^test$/, 'test'],
    [/^build$/, 'build'],
  ],
  ctest: only('test'),
  cmake: [[/^--build$/, 'build']],
  ninja: only('build'),
  meson: [
    [/^test$/, 'test'],
    [/^compile$/, 'build'],
  ],
  bats: only('test'),
  // Configuration and scripts
  terraform: [
    [/^validate$/, 'lint'],
    [/^fmt$/, 'format'],
  ],
  tflint: only('lint'),
  helm: [[/^lint$/, 'lint']],
  shellcheck: only('lint'),
  hadolint: only('lint'),
  actionlint: only('lint'),
  yamllint: only('lint'),
  markdownlint: only('lint'),
  'ansible-lint': only('lint'),
  nix: [[/^flake$/, 'test']],
}

/** Formatters that only check with a flag. */
const CHECKS_WHEN_TOLD =
  /^(?:--check(?:-formatted|-only)?|-check|--verify-no-changes|--dry-run|--diff|-d|-l|-c|--list-different)$/
const FORMATS_BY_DEFAULT = new Set(['deno', 'ruff', 'cargo', 'dotnet', 'mix', 'terraform'])
/** They change what they check, run forever, or only print information. */
const NO_CHECK =
  /^(?:--fix\S*|--write|--apply\S*|-w|--watch(?:=true)?|--watchAll|--version|-V|--help|-h|--init|--listTests|--list|--collect-only)$/

/** In front of the program, and not part of the check. */
const PREFIXES = new Set([
  'sudo',
  'time',
  'command',
  'exec',
  'nice',
  'nohup',
  'env',
  'stdbuf',
  'caffeinate',
  'rtk',
  'unbuffer',
])
/** Runs a program of the project; the command includes it, so that a person can type it. */
const RUNNERS: readonly (readonly string[])[] = [
  ['npx'],
  ['bunx'],
  ['pnpx'],
  ['pnpm', 'exec'],
  ['pnpm', 'dlx'],
  ['yarn', 'exec'],
  ['yarn', 'dlx'],
  ['yarn', 'run'],
  ['yarn'],
  ['pnpm'],
  ['bun', 'x'],
  ['bun', 'run'],
  ['npm', 'exec', '--'],
  ['npm', 'exec'],
  ['poetry', 'run'],
  ['uv', 'run'],
  ['uvx'],
  ['pipenv', 'run'],
  ['pdm', 'run'],
  ['rye', 'run'],
  ['hatch', 'run'],
  ['bundle', 'exec'],
  ['python', '-m'],
  ['python3', '-m'],
  ['python'],
  ['python3'],
  ['php'],
  ['cross-env'],
  ['dotenv', '--'],
  ['xvfb-run'],
]
const ENVIRONMENT = /^[A-Za-z_]\w*=/
/** Flags of a runner or a script program that take a value, in front of the name of the script. */
const WITH_VALUE =
  /^(?:--filter|-F|--prefix|-C|--dir|--cwd|-w|--workspace|--package|-p|--scope|-f|--projects|-j|--jobs|--directory|--python|--with|--group)$/
const PICKS =
  /^(?:-t|-k|-m|-g|--grep|--testNamePattern|--test-name-pattern|--testPathPattern|--tests|--filter|-run|--run|--test|--only|-e|--example|-Dtest|--spec|--name|-p|--package)$/
const PICKS_WITH =
  /^(?:-t|-k|-g|--grep|--testNamePattern|--test-name-pattern|--testPathPatterns?|--tests|--filter|-run|-Dtest|--spec|--project)=(.+)$/
const PRINTS =
  /^(?:-v+|-q+|-s|-x|-n|-ra|-rA|-l|--verbose|--quiet|--silent|--bail(?:=\S*)?|--reporter(?:s)?(?:=\S*)?|--colou?r(?:=\S*)?|--no-colou?r|--tb=\S*|--maxfail(?:=\S*)?|--watch=false|--watchAll=false|--no-watch|--no-cov(?:erage)?|--nocapture|--no-header|--pretty(?:=\S*)?|--ci|--run|--passWithNoTests|--cache|--no-cache|--message-format(?:=\S*)?|--format(?:=\S*)?|--output-format(?:=\S*)?|--no-fail-fast|--offline|--stacktrace|--info|--console=\S*|--durations=\S*|-count=\d+|-timeout=\S*|--testTimeout=\S*|--timeout(?:=\S*)?|--pool(?:=\S*)?|--no-error-summary|--max-warnings(?:=\S*)?|--logger(?:=\S*)?|--nologo|-B|-ntp)$/
const PRINTS_WITH_VALUE =
  /^(?:--reporter|--reporters|--maxfail|--format|--output-format|--message-format|-n|--timeout|--max-warnings|--logger|-o|--pool)$/
/** One file, or a place in one: `src/a.test.ts`, `tests/test_a.py::test_b`, `a.spec.ts:12`. */
const ONE_FILE = /(?:\w\.\w{1,5}|::[\w[\]:-]+|\.\w{1,5}:\d+)$/
const CONFIGURATION =
  /(?:^|\/)(?:tsconfig[\w.-]*\.json|[\w.-]*config[\w.-]*\.\w+|Makefile|.*\.(?:toml|ini|cfg|ya?ml|sln|csproj|gradle|kts))$/i
const SCRIPT_FILE =
  /(?:^|\/)(?:run[-_])?(?:tests?|checks?|lint|ci|verify|validate|type-?check)(?:[-_][\w-]*)?(?:\.(?:sh|bash|py|mjs|js|ts|ps1|cmd|bat))?$/
const MAX_LENGTH = 200

/** The check of the project that these words are, or undefined. */
export function validationOf(words: readonly string[]): CheckCommand | undefined {
  const bare = withoutPrefixes(words)
  const runner = RUNNERS.find(known => known.every((word, at) => bare[at] === word))
  return checkOf(bare, []) ?? (runner && checkOf(skipFlags(bare.slice(runner.length)), runner))
}

function withoutPrefixes(words: readonly string[]): readonly string[] {
  let rest = words
  for (;;) {
    const [first = '', second = ''] = rest
    if (PREFIXES.has(first) || ENVIRONMENT.test(first)) rest = rest.slice(1)
    else if (first === 'timeout' || first === 'gtimeout') rest = skipFlags(rest.slice(1)).slice(1)
    else if (/^-/.test(first) && second !== '') rest = rest.slice(1)
    else return rest
  }
}

function skipFlags(words: readonly string[]): readonly string[] {
  let at = 0
  while (/^-/.test(words[at] ?? '') || ENVIRONMENT.test(words[at] ?? ''))
    at += WITH_VALUE.test(words[at] ?? '') ? 2 : 1
  return words.slice(at)
}

function checkOf(words: readonly string[], runner: readonly string[]): CheckCommand | undefined {
  const [program = '', ...rest] = words
  const name =
    program
      .replace(/^@[\w-]+\//, '')
      .split(/[\\/]/)
      .pop()
      ?.replace(/@[\w.^~-]+$|\.(?:cmd|exe|bat|phar)$/g, '') ?? ''
  if (rest.some(word => NO_CHECK.test(word)) && !isNumberFlag(name, rest)) return undefined
  const shown =
    /[\\/]/.test(program) &&
    !program.startsWith('@') &&
    !/^(?:\.\/)?(?:gradlew|mvnw|manage\.py|vendor\/bin|bin)/.test(program)
      ? name
      : program
  if (!Object.hasOwn(PROGRAMS, name)) {
    // Scripts in a hidden folder belong to a tool, not to the project: `.tool/scripts/check-setup.sh`.
    const isScript =
      /[\\/]/.test(program) && SCRIPT_FILE.test(program) && !/^\/|(?:^|[\\/])\.\w/.test(program)
    return isScript ? described([...runner, program], rest, 'test') : undefined
  }
  const rules = PROGRAMS[name] as Rules
  if (rules[0]?.[0] === '*') return described([...runner, shown], rest, rules[0][1])
  const named = subcommand(rest, rules)
  if (named === undefined) return undefined
  const { check, at } = named
  // `npm ci` installs; `npm run ci` is the project's own.
  if (rest[at] === 'ci' && name.endsWith('npm') && at === 0) return undefined
  if (check === 'format' && FORMATS_BY_DEFAULT.has(name) && !rest.some(word => CHECKS_WHEN_TOLD.test(word)))
    return undefined
  return described([...runner, shown, ...rest.slice(0, at + 1)], rest.slice(at + 1), check)
}

/** `-w` is "write" for a formatter, and a number or a workspace for others. */
function isNumberFlag(name: string, rest: readonly string[]): boolean {
  return (
    (name === 'npm' || name === 'pytest' || name === 'make') &&
    !rest.some(word => /^--/.test(word) && NO_CHECK.test(word))
  )
}

/** The word that names the check, and its position: flags and `run` may come before it. */
function subcommand(rest: readonly string[], rules: Rules): { check: CheckKind; at: number } | undefined {
  for (let at = 0; at < rest.length && at < 12; at++) {
    const word = rest[at] as string
    for (const [pattern, check] of rules) if (pattern !== '*' && pattern.test(word)) return { check, at }
    if (WITH_VALUE.test(word)) at++
    else if (
      !/^-|^(?:run|run-script|run-many|workspace|workspaces|foreach|clean|exec|artisan|:\S+|[\w.@/-]*\/[\w.-]*)$|=/.test(
        word,
      ) &&
      rest[at - 1] !== 'workspace'
    )
      return undefined
  }
  return undefined
}

function described(head: readonly string[], rest: readonly string[], check: CheckKind): CheckCommand {
  const kept: string[] = []
  const selection: string[] = []
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] as string
    const next = rest[at + 1]
    const picked = PICKS_WITH.exec(word)?.[1]
    if (word === '--') continue
    if (picked !== undefined) selection.push(picked)
    else if (PRINTS.test(word))
      at += PRINTS_WITH_VALUE.test(word) && next !== undefined && !next.startsWith('-') ? 1 : 0
    else if (check === 'test' && PICKS.test(word) && next !== undefined) {
      selection.push(next)
      at++
    } else if (/^-/.test(word)) {
      kept.push(word)
      // Its value belongs to it: -p tsconfig.json
      if (
        next !== undefined &&
        (CONFIGURATION.test(next) || /^-(?:[pPcC]|-config|-project|-manifest-path)$/.test(word))
      ) {
        kept.push(next)
        at++
      }
    } else if (ONE_FILE.test(word) && !CONFIGURATION.test(word)) selection.push(word)
    else if (check === 'test' && kept.length === 0 && /^[\w./-]+$/.test(word) && !isWhole(word))
      selection.push(word)
    else kept.push(word)
  }
  const command = shownOf([...head, ...kept])
  const key = command
    .replace(
      /^(?:npx|bunx|pnpx|(?:pnpm|yarn) (?:exec|dlx)|npm exec|bun x|(?:poetry|uv|pipenv|pdm|rye|hatch) run|uvx|bundle exec|python3? -m) /,
      '',
    )
    .toLowerCase()
  return { command, key, check, selection }
}

/** `.`, `./...` and the like mean everything. */
function isWhole(word: string): boolean {
  return /^(?:\.|\.\/?|\.\/\.\.\.|\*|run|all)$/.test(word)
}

function shownOf(words: readonly string[]): string {
  return words
    .map(word => (/[\s'"$&|;<>()]/.test(word) ? `'${word}'` : word))
    .join(' ')
    .slice(0, MAX_LENGTH)
}
