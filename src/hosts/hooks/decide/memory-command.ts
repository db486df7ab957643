import { MEMORY_WORDS, verbWords } from '../../../kernel/model/memory-words.ts'

/** A slash command of ours, read from what a person typed. */
export type MemoryCommand =
  | {
      readonly kind: 'run'
      /** As typed: `remember`, `cairn`. */
      readonly name: string
      /** The verb it is, and what that takes. */
      readonly verb: string
      readonly input: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'unclear'; readonly name: string; readonly message: string; readonly hint: string }

/** `/memory` reaches us only where the host has no command of that name. */
const COMMAND = /^\s*([/$])(remember|forget|pin|cairn|memory)(?:\s+([\s\S]*))?$/

/**
 * The command of a prompt, or undefined if the prompt only mentions one. Codex has `$remember` where others have `/remember`; anywhere
 * else a dollar has no meaning.
 */
export function readMemoryCommand(prompt: string, sigils: '/' | '/$' = '/'): MemoryCommand | undefined {
  const [, sigil = '', name = '', typed = ''] = COMMAND.exec(prompt) ?? []
  if (sigil === '' || !sigils.includes(sigil)) return undefined
  const text = typed.trim()
  switch (name) {
    case 'remember':
      return text === ''
        ? unclear(name, 'The text to remember is missing.', `${sigil}remember <text>`)
        : { kind: 'run', name, verb: 'remember', input: { content: text } }
    case 'forget':
    case 'pin':
      return text === ''
        ? unclear(
            name,
            `Which entry is to be ${name === 'pin' ? 'pinned' : 'forgotten'}?`,
            `${sigil}${name} <id or words>`,
          )
        : { kind: 'run', name, verb: name, input: { target: text } }
    default:
      return readFamily(text, name, sigil)
  }
}

function readFamily(text: string, name: string, sigil: string): MemoryCommand {
  const typed = text === '' ? ['status'] : text.split(/\s+/)
  const words = verbWords(typed)
  if (words === undefined)
    return unclear(
      name,
      `Unknown command: "${typed[0]?.slice(0, 40)}".`,
      `${sigil}${name} ${MEMORY_WORDS.join('|')}`,
    )
  const run = (verb: string, input: Record<string, unknown>): MemoryCommand => ({
    kind: 'run',
    name,
    verb,
    input,
  })
  const [verb = '', first, ...rest] = words
  switch (verb) {
    case 'list':
      return run('list', first === undefined ? {} : { category: first })
    case 'search': {
      const query = text.replace(/^\S+\s*/, '')
      return query === ''
        ? unclear(name, 'What is to be searched for?', `${sigil}${name} search <question>`)
        : run('search', { query })
    }
    case 'budget':
      return run('budget', first === undefined ? {} : { tokens: first })
    case 'auto':
      return run('auto', first === undefined ? {} : { state: first })
    case 'preset':
      return run('preset', first === undefined ? {} : { preset: first })
    case 'alias':
      return readAlias(first, rest, { name, sigil, run })
    case 'config':
      return readConfig(first, rest, { name, sigil, run })
    default:
      return run('status', {})
  }
}

interface Family {
  readonly name: string
  readonly sigil: string
  readonly run: (verb: string, input: Record<string, unknown>) => MemoryCommand
}

function readAlias(
  action: string | undefined,
  words: readonly string[],
  { name, sigil, run }: Family,
): MemoryCommand {
  const [word, ...meanings] = words
  if (action === undefined || action === 'list') return run('alias list', {})
  if (action === 'add' && meanings.length > 0) return run('alias add', { word, meanings })
  if (action === 'remove' && word !== undefined)
    return run('alias remove', { word, ...(meanings.length > 0 && { meanings }) })
  return unclear(
    name,
    'An alias is added, listed or removed.',
    `${sigil}${name} alias add <word> <meanings>, alias list, alias remove <word>`,
  )
}

function readConfig(
  action: string | undefined,
  words: readonly string[],
  { name, sigil, run }: Family,
): MemoryCommand {
  const [key, ...value] = words
  if (action === 'list') return run('config list', {})
  if (action === 'get' && key !== undefined) return run('config get', { key })
  if (action === 'unset' && key !== undefined) return run('config unset', { key })
  if (action === 'set' && value.length > 0) return run('config set', { key, value: value.join(' ') })
  return unclear(
    name,
    `Unknown preset: "${action?.slice(0, 40)}".`,
    `${sigil}${name} config conservative|balanced|aggressive, or config list, get, set, unset`,
  )
}

function unclear(name: string, message: string, usage: string): MemoryCommand {
  return { kind: 'unclear', name, message, hint: `Write ${usage}.` }
}
