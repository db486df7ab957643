import { CairnError } from '../../kernel/model/errors.ts'
import { OPERATIONS } from '../../verbs/all.ts'
import type { Operation } from '../../verbs/operation.ts'
import { GLOBAL_FLAGS } from './arguments.ts'
import type { OwnCommand } from './own-command.ts'
import { flagsOf } from './schema-flags.ts'

interface Verb {
  readonly name: string
  readonly summary: string
  readonly flags: readonly string[]
}

const SHELLS = ['bash', 'zsh', 'fish']
const GLOBALS = Object.keys(GLOBAL_FLAGS).map(name => `--${name}`)

/** A script for the shell, made from the same definitions as the help. */
export async function renderCompletion(
  shell: string | undefined,
  ownCommands: readonly OwnCommand[],
): Promise<string> {
  const verbs: Verb[] = [
    ...(await Promise.all(
      Object.entries(OPERATIONS).map(async ([name, load]) => {
        const operation: Operation = await load()
        return { name, summary: operation.summary, flags: flagsOf(operation).map(flag => `--${flag.name}`) }
      }),
    )),
    ...ownCommands.map(({ name, summary, flags = [] }) => ({ name, summary, flags })),
  ]
  if (shell === 'bash') return bash(verbs)
  if (shell === 'zsh') return zsh(verbs)
  if (shell === 'fish') return fish(verbs)
  throw new CairnError({
    code: 'invalid_input',
    message: `cairn completion needs a shell${shell === undefined ? '' : `, and does not know "${shell.slice(0, 20)}"`}.`,
    hint: 'For example: source <(cairn completion bash)',
  })
}

function firstWords(verbs: readonly Verb[]): string[] {
  return [...new Set(verbs.map(verb => verb.name.split(' ')[0] as string))]
}

/** What may follow one word (`task`), or two (`workspace plan`). */
function families(verbs: readonly Verb[], words: 1 | 2 = 1): [before: string, next: string[]][] {
  const nextByBefore = new Map<string, Set<string>>()
  for (const { name } of verbs) {
    const parts = name.split(' ')
    const [before, next] = [parts.slice(0, words).join(' '), parts[words]]
    if (next !== undefined) nextByBefore.set(before, (nextByBefore.get(before) ?? new Set()).add(next))
  }
  const found = [...nextByBefore].map(([before, next]): [string, string[]] => [before, [...next]])
  return words === 1 ? [...found, ['completion', SHELLS]] : found
}

const wordsOf = (verb: Verb) => verb.name.split(' ').length

function bash(verbs: readonly Verb[]): string {
  return `# bash completion for cairn: source <(cairn completion bash)
_cairn() {
  local current="\${COMP_WORDS[COMP_CWORD]}" verb="\${COMP_WORDS[1]}" flags=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${firstWords(verbs).join(' ')}" -- "$current")); return
  fi
  if [ "$COMP_CWORD" -eq 2 ]; then
    case "$verb" in
${families(verbs)
  .map(
    ([first, seconds]) =>
      `      ${first}) COMPREPLY=($(compgen -W "${seconds.join(' ')}" -- "$current")); return ;;`,
  )
  .join('\n')}
    esac
  fi
  if [ "$COMP_CWORD" -eq 3 ]; then
    case "$verb \${COMP_WORDS[2]}" in
${families(verbs, 2)
  .map(
    ([before, next]) =>
      `      "${before}") COMPREPLY=($(compgen -W "${next.join(' ')}" -- "$current")); return ;;`,
  )
  .join('\n')}
    esac
  fi
  case "$verb \${COMP_WORDS[2]} \${COMP_WORDS[3]}" in
${verbs
  .filter(verb => wordsOf(verb) > 1)
  .map(verb => `    "${verb.name}"${wordsOf(verb) === 2 ? '*' : ''}) flags="${verb.flags.join(' ')}" ;;`)
  .join('\n')}
  esac
  [ -n "$flags" ] || case "$verb" in
${verbs
  .filter(verb => !verb.name.includes(' '))
  .map(verb => `    ${verb.name}) flags="${verb.flags.join(' ')}" ;;`)
  .join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags ${GLOBALS.join(' ')}" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -F _cairn cairn
`
}

function zsh(verbs: readonly Verb[]): string {
  const quote = (text: string) => text.replaceAll("'", "'\\''").replaceAll(':', '\\:')
  const summaries = firstWords(verbs).map(first => {
    const verb = verbs.find(candidate => candidate.name === first || candidate.name.startsWith(`${first} `))
    return `    '${first}:${quote(verb?.summary ?? '')}'`
  })
  return `#compdef cairn
# zsh completion for cairn: source <(cairn completion zsh)
_cairn() {
  local -a verbs
  verbs=(
${summaries.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe 'verb' verbs; return; fi
  if (( CURRENT == 3 )); then
    case "$words[2]" in
${families(verbs)
  .map(([first, seconds]) => `      ${first}) compadd ${seconds.join(' ')}; return ;;`)
  .join('\n')}
    esac
  fi
  if (( CURRENT == 4 )); then
    case "$words[2] $words[3]" in
${families(verbs, 2)
  .map(([before, next]) => `      '${before}') compadd ${next.join(' ')}; return ;;`)
  .join('\n')}
    esac
  fi
  case "$words[2] $words[3] $words[4]" in
${verbs
  .filter(verb => wordsOf(verb) > 1)
  .map(
    verb =>
      `    '${verb.name}'${wordsOf(verb) === 2 ? '*' : ''}) compadd -- ${[...verb.flags, ...GLOBALS].join(' ')}; return ;;`,
  )
  .join('\n')}
  esac
  case "$words[2]" in
${verbs
  .filter(verb => !verb.name.includes(' '))
  .map(verb => `    ${verb.name}) compadd -- ${[...verb.flags, ...GLOBALS].join(' ')} ;;`)
  .join('\n')}
  esac
  _files
}
compdef _cairn cairn
`
}

function fish(verbs: readonly Verb[]): string {
  const quote = (text: string) => text.replaceAll("'", "\\'")
  const lines = verbs.flatMap(({ name, summary, flags }) => {
    const words = name.split(' ')
    const after = (typed: readonly string[]) =>
      typed.map(word => `__fish_seen_subcommand_from ${word}`).join('; and ')
    const seen = after(words)
    const word =
      words.length === 1
        ? `complete -c cairn -n __fish_use_subcommand -a ${name} -d '${quote(summary)}'`
        : `complete -c cairn -n '${after(words.slice(0, -1))}' -a ${words.at(-1)} -d '${quote(summary)}'`
    return [word, ...flags.map(flag => `complete -c cairn -n '${seen}' -l ${flag.slice(2)}`)]
  })
  const families_ = [
    ...families(verbs).map(([first]) => `complete -c cairn -n __fish_use_subcommand -a ${first}`),
    ...families(verbs, 2).map(([before]) => {
      const [first, second] = before.split(' ')
      return `complete -c cairn -n '__fish_seen_subcommand_from ${first}' -a ${second}`
    }),
  ]
  const shells = `complete -c cairn -n '__fish_seen_subcommand_from completion' -f -a '${SHELLS.join(' ')}'`
  return `# fish completion for cairn: cairn completion fish | source
${[...families_, ...lines, shells, ...GLOBALS.map(flag => `complete -c cairn -l ${flag.slice(2)}`)].join('\n')}
`
}
