import type { ProjectMap, ValidationCommand } from '../../../kernel/model/bundle.ts'
import type { MemoryEvent } from '../../../kernel/model/event.ts'
import { plainStatement } from '../../../kernel/text/plain-statement.ts'
import { isoOf } from './bundle-items.ts'
import { BUNDLE_LIMITS, COMMAND_DAYS } from './bundle-limits.ts'

const DAY_MS = 86_400_000
/** Scripts that check a project, in the order in which a person runs them. */
const CHECKS = [
  'test',
  'tests',
  'check',
  'typecheck',
  'type-check',
  'types',
  'lint',
  'build',
  'ci',
  'verify',
  'validate',
]
/** Worth telling even if nobody was seen to run it. */
const CHECKS_UNSEEN = new Set(['test', 'check', 'typecheck', 'type-check', 'lint'])
const SOURCES_OF_COMMAND = 3

export interface CommandOutcome {
  readonly command: string
  readonly key: string
  readonly outcome: 'passed' | 'failed'
  /** UTC ISO. */
  readonly at: string
  readonly source: string
}

/** In the order of the log. What comes from elsewhere may be a text alone: then nobody knows how it went. */
export function observationsIn(
  events: readonly MemoryEvent[],
  clean: (text: string) => string,
): CommandOutcome[] {
  return events.flatMap(event => {
    const at = isoOf(event.createdAt)
    return (event.signals.validationObservations as readonly unknown[]).flatMap(observed => {
      const { command, outcome } = (observed ?? {}) as { command?: unknown; outcome?: unknown }
      if (typeof command !== 'string' || (outcome !== 'passed' && outcome !== 'failed')) return []
      const text = plainStatement(clean(command), BUNDLE_LIMITS.commandCharacters)
      return text === ''
        ? []
        : [{ command: text, key: keyOf(text), outcome, at, source: `event:${event.id}` }]
    })
  })
}

/** `npm run test`, `npm t` and `npm test` are one; so are `npx vitest` and `vitest`. */
export function keyOf(command: string): string {
  return command
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(
      /^(?:npx|bunx|pnpx|(?:pnpm|yarn) (?:exec|dlx)|npm exec|(?:poetry|uv|pipenv) run|bundle exec|python3? -m) /,
      '',
    )
    .replace(/^(npm|pnpm|yarn|bun) (?:run |run-script )/, '$1 ')
    .replace(/^npm (?:t|tst)$/, 'npm test')
    .trim()
}

/** Commands that check the project, those of its own scripts first, each with how it last went. */
export function foldCommands(
  old: readonly ValidationCommand[],
  observations: readonly CommandOutcome[],
  { map, packageManager }: { readonly map: ProjectMap; readonly packageManager: string },
): ValidationCommand[] {
  const byKey = new Map<string, ValidationCommand>()
  for (const known of old) byKey.set(keyOf(known.command), known)
  for (const { command, key, outcome, at, source } of observations) {
    const known = byKey.get(key)
    if (known?.lastRunAt !== undefined && known.lastRunAt > at) continue
    const sources = [
      source,
      ...(known?.sources ?? []).filter(one => one !== source && one.startsWith('event:')),
    ]
    byKey.set(key, {
      command: known?.command ?? command,
      lastOutcome: outcome,
      lastRunAt: at,
      sources: sources.slice(0, SOURCES_OF_COMMAND),
    })
  }
  const scripts = scriptsOf(map, packageManager)
  for (const { key, command, path, isUnseen } of scripts) {
    if (isUnseen && !byKey.has(key)) byKey.set(key, { command, sources: [`file:${path}`] })
  }
  const order = new Map(scripts.map(({ key }, at) => [key, at]))
  const newest = [...byKey.values()].reduce(
    (latest, { lastRunAt = '' }) => (lastRunAt > latest ? lastRunAt : latest),
    '',
  )
  return [...byKey]
    .filter(([key, { lastRunAt }]) =>
      lastRunAt === undefined
        ? order.has(key)
        : order.has(key) || Date.parse(newest) - Date.parse(lastRunAt) <= COMMAND_DAYS * DAY_MS,
    )
    .sort(([a, one], [b, other]) => {
      const places = (order.get(a) ?? CHECKS.length * 100) - (order.get(b) ?? CHECKS.length * 100)
      const [mine = '', theirs = ''] = [one.lastRunAt, other.lastRunAt]
      return places || (mine < theirs ? 1 : mine > theirs ? -1 : a < b ? -1 : 1)
    })
    .slice(0, BUNDLE_LIMITS.validationCommands)
    .map(([, command]) => command)
}

function scriptsOf(
  map: ProjectMap,
  manager: string,
): { key: string; command: string; path: string; isUnseen: boolean }[] {
  return map.scripts
    .filter(({ name, path }) => CHECKS.includes(name) && !path.includes('/'))
    .sort((a, b) => CHECKS.indexOf(a.name) - CHECKS.indexOf(b.name))
    .map(({ name, command, path }) => {
      const typed = /package\.json$/.test(path)
        ? `${manager} ${name === 'test' || manager !== 'npm' ? name : `run ${name}`}`
        : /^(?:make|just|task|rake|cargo) /.test(command)
          ? command
          : /composer\.json$/.test(path)
            ? `composer ${name}`
            : /deno\.jsonc?$/.test(path)
              ? `deno task ${name}`
              : command
      return { key: keyOf(typed), command: typed, path, isUnseen: CHECKS_UNSEEN.has(name) }
    })
}
