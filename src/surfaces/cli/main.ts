import type { HubCommand, OpenDesk } from '../../addons/hub/verbs/hub-operation.ts'
import { composeEngine, composeUserEngine } from '../../compose/compose.ts'
import type { Composed } from '../../compose/composed.ts'
import { resolveProject } from '../../features/projects/resolve-project.ts'
import type { AgentEvent } from '../../kernel/model/agent-run.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { COMMAND_LINE } from '../../kernel/model/hub.ts'
import { verbWords } from '../../kernel/model/memory-words.ts'
import { asStorageError } from '../../kernel/system/disk.ts'
import { readEnvironment } from '../../kernel/system/environment.ts'
import { openTerminal, type Terminal } from '../../kernel/system/terminal.ts'
import { editDistance } from '../../kernel/text/edit-distance.ts'
import { agentActs } from '../../verbs/agent-rules.ts'
import { type Operation, parseInput, type Question } from '../../verbs/operation.ts'
import { type Presenters, type Screen, screenOf } from '../../verbs/presenter.ts'
import { extractGlobals, type GlobalOptions, readInput } from './arguments.ts'
import type { OwnCommand } from './own-command.ts'
import { readStandardInput } from './standard-input.ts'

/** The parts of a command line. One for a few verbs has fewer, so that it starts faster. */
interface CommandLineParts {
  readonly version: string
  /** Every verb by name, loaded when it is used. */
  readonly operations: Readonly<Record<string, () => Promise<Operation>>>
  readonly presenters: Partial<Presenters>
  readonly ownCommands?: readonly OwnCommand[]
}

const MEMORY = 'memory'

/** Fields for which `-` means that the text comes on standard input. */
const FROM_STANDARD_INPUT = [
  'content',
  'prompt',
  'output',
  'summary',
  'body',
  'target',
  'query',
  'text',
  'command',
]

/** Runs one command line and returns the exit code. Nothing else decides exit codes. */
export async function main(argv: readonly string[], parts: CommandLineParts): Promise<number> {
  const { version, operations, presenters, ownCommands = [] } = parts
  const names = [...Object.keys(operations), ...ownCommands.map(({ name }) => name)]
  const environment = readEnvironment()
  let json = argv.includes('--json')
  let terminal = openTerminal({ colour: environment.noColour ? false : undefined })
  try {
    const { globals, rest } = extractGlobals(argv)
    json = globals.json
    if (globals.color !== undefined) terminal = openTerminal({ colour: globals.color })
    if (globals.version) {
      terminal.out(json ? `${JSON.stringify({ version })}\n` : `${version}\n`)
      return 0
    }
    if (rest.length === 0 || (globals.help && verbOf(rest, names).name === undefined)) {
      const family = familyOf(rest, names).length > 0 ? (rest[0] ?? '') : ''
      terminal.out(await (await import('./help.ts')).renderHelp(family, ownCommands))
      return 0
    }
    const asked = wordsMeant(rest)
    const { name, words } = verbOf(asked, names)
    if (name === undefined) throw unknownVerb(asked, names)
    if (globals.help) {
      terminal.out(await (await import('./help.ts')).renderHelp(name, ownCommands))
      return 0
    }
    const call = { terminal, globals, environment, presenters }
    const load = (verb: string) => (operations[verb] as () => Promise<Operation>)()
    const own = ownCommands.find(command => command.name === name)
    if (own !== undefined) {
      const answer = await own.run(words, globals, terminal)
      if (typeof answer === 'string') {
        terminal.out(answer)
        return 0
      }
      const { verb, input } = answer
      return await runOperation(await load(verb), { ...input }, { ...call, isTypedByPerson: true })
    }
    const typed = await load(name)
    const operation = words.length === 0 && typed.withoutWords ? await load(typed.withoutWords) : typed
    return await runOperation(operation, readInput(operation, words), call)
  } catch (error) {
    terminal.endProgress()
    const failure =
      error instanceof CairnError
        ? error
        : isSystemError(error)
          ? asStorageError(error, 'The memory folder')
          : undefined
    if (failure === undefined) throw error
    await showError(failure, json, terminal)
    return failure.exitCode
  }
}

interface Around {
  readonly terminal: Terminal
  readonly globals: GlobalOptions
  readonly environment: ReturnType<typeof readEnvironment>
  readonly presenters: CommandLineParts['presenters']
  /** A slash command: a person typed it, whatever the environment of the host says. */
  readonly isTypedByPerson?: boolean
}

async function runOperation(
  operation: Operation,
  input: Record<string, unknown>,
  { terminal, globals, environment, presenters, isTypedByPerson = false }: Around,
): Promise<number> {
  if (globals.user) refuseForUser(operation, globals)
  const screen = screenOf(presenters, operation.name)
  if ('runWith' in operation) {
    const command = operation as HubCommand
    const given = parseInput(command, input) as Readonly<Record<string, unknown>>
    const output = await command.runWith(openHub, given, { onProgress: terminal.progress })
    if (globals.json) terminal.out(`${JSON.stringify(output)}\n`)
    else screen.present(output, terminal)
    return 0
  }
  // With CAIRN_AGENT in its environment the caller declares that it is an agent.
  const isAgent = environment.agent !== undefined && !isTypedByPerson && agentActs(operation, input)
  const parts = {
    actor: {
      host: environment.host ?? 'cli',
      ...(environment.agent !== undefined && { agent: environment.agent }),
      ...(environment.session !== undefined && { session: environment.session }),
      ...(isAgent && { isAgent }),
    },
    onProgress: (done: number, total: number) => terminal.progress(done, total, 'files indexed'),
  }
  const named = globals.root ?? environment.root
  const memory = globals.user
    ? composeUserEngine(parts)
    : composeEngine({ root: named ?? resolveProject(process.cwd()).root, isTyped: true, ...parts })
  try {
    for (const field of FROM_STANDARD_INPUT)
      if (input[field] === '-') input[field] = await readStandardInput()
    const output = await runAsking({
      operation,
      input,
      engine: memory,
      terminal,
      globals,
      editor: environment.editor,
      from: { folder: named ?? process.cwd(), isNamed: named !== undefined },
      screen,
      isAgent,
    })
    terminal.endProgress()
    const { proposed } = output as { readonly proposed?: string }
    if (globals.json) terminal.out(`${screen.toJson?.(output) ?? JSON.stringify(output)}\n`)
    else if (proposed !== undefined)
      terminal.out(`Nothing changed yet: it waits for the user in \`cairn review\` (${proposed}).\n`)
    else screen.present(output, terminal)
    const { actionsCheckout } = environment
    if (actionsCheckout !== undefined) terminal.err(screen.annotate?.(output, actionsCheckout) ?? '')
    if (screen.listsProblems !== true && !('degraded' in (output as object)))
      for (const { message } of memory.store.takeDegraded())
        terminal.err(`${terminal.dim('note:')} ${message}\n`)
    const after = (operation.after ?? []).filter(
      step => step !== 'documentVectors' || memory.documentSearch.takeUnembedded(),
    )
    if (after.length > 0) await (await import('./after-answer.ts')).runAfterAnswer(memory, after)
    return operation.exitCode?.(output) ?? 0
  } finally {
    await memory.close()
  }
}

/** The database of a hub: no memory is searched for, and none is opened. */
const openHub: OpenDesk = async given => {
  const { openDesk } = await import('../../compose/compose-hub.ts')
  const { getStoreAddress } = await import('../../kernel/system/store-address.ts')
  return openDesk(getStoreAddress(given), { principal: COMMAND_LINE })
}

/** Verbs about a project do not work on the user's own memory. */
function refuseForUser({ name, worksForUser }: Operation, { root }: GlobalOptions): void {
  if (root !== undefined) {
    throw new CairnError({
      code: 'invalid_input',
      message: '--user and --root name two memories.',
      hint: 'Leave one of them out.',
    })
  }
  if (worksForUser) return
  throw new CairnError({
    code: 'invalid_input',
    message: `cairn ${name} is about a project, not about your own memory.`,
    hint: '--user works with remember, search, list, show, edit, forget and others; `cairn help <verb>` shows whether a command accepts it.',
  })
}

interface Call {
  readonly operation: Operation
  readonly input: Record<string, unknown>
  readonly engine: Composed
  readonly terminal: Terminal
  readonly globals: GlobalOptions
  readonly editor: string | undefined
  readonly from: { readonly folder: string; readonly isNamed: boolean }
  readonly screen: Screen
  readonly isAgent: boolean
}

/** If several entries match, a person is asked which one; a program gets the error with the candidates. */
async function runAsking(call: Call): Promise<unknown> {
  const { operation, engine: memory, terminal, globals, screen, editor } = call
  const askable = terminal.isInteractive && !globals.json
  const context = {
    onProgress: terminal.progress,
    from: call.from,
    ...(call.isAgent && { isAgent: true }),
    ...(!globals.json && {
      onAgentEvent: (event: AgentEvent) => screen.presentEvent?.(event, terminal),
    }),
    editText: async (text: string, fileName: string) =>
      (await import('./edit-text.ts')).editText(text, fileName, { editor, isInteractive: askable }),
    untilEnded: () =>
      new Promise<void>(resolve => {
        process.once('SIGINT', () => resolve())
        process.once('SIGTERM', () => resolve())
      }),
    // A program that reads the answer gets the question as an error.
    ...(!globals.json && { ask: async (question: Question) => askFirst(question, call) }),
  }
  try {
    return await operation.run(memory, parseInput(operation, call.input), context)
  } catch (error) {
    if (!askable || !(error instanceof CairnError) || error.code !== 'ambiguous_match') throw error
    const { chooseCandidate } = await import('./ask-person.ts')
    const target = await chooseCandidate(error, terminal)
    return runAsking({ ...call, input: { ...call.input, target } })
  }
}

async function askFirst(question: Question, { screen, terminal }: Call): Promise<boolean> {
  terminal.endProgress()
  if (question.shown !== undefined) screen.present(question.shown, terminal)
  return (await import('./ask-person.ts')).askYesOrNo(question, terminal)
}

/** `cairn memory status` is `cairn status`: the words of seed C's `/memory` as an alias. */
function wordsMeant(rest: readonly string[]): readonly string[] {
  return rest[0] === MEMORY ? (verbWords(rest.slice(1)) ?? rest) : rest
}

function verbOf(
  words: readonly string[],
  names: readonly string[],
): { name: string | undefined; words: string[] } {
  for (const length of [3, 2, 1]) {
    const name = words.slice(0, length).join(' ')
    if (words.length >= length && names.includes(name)) {
      return { name, words: withoutList(words.slice(length), name, names) }
    }
  }
  return { name: undefined, words: [...words] }
}

/** If the first word alone lists a family, `hot list` means the same as `hot`. */
function withoutList(words: string[], name: string, names: readonly string[]): string[] {
  const isFamily = words[0] === 'list' && familyOf([name], names).length > 0
  return isFamily ? words.slice(1) : words
}

/** The verbs that begin with the first word: `task add`, `task done` for `task`. */
function familyOf([first = '']: readonly string[], names: readonly string[]): string[] {
  return names.filter(name => name.startsWith(`${first} `))
}

function unknownVerb(words: readonly string[], names: readonly string[]): CairnError {
  const [first = ''] = words
  const family = familyOf(words, names)
  return new CairnError({
    code: 'unknown_verb',
    message:
      family.length > 0
        ? `cairn ${first} needs one of: ${family.map(name => name.slice(first.length + 1)).join(', ')}.`
        : `Unknown command: "${first.slice(0, 40)}".`,
    hint:
      family.length > 0
        ? `For example: cairn ${family[0]}`
        : `${nearestVerb(first, names)}\`cairn help\` lists the verbs.`,
  })
}

/** A verb that differs by one or two letters is probably what was meant. */
function nearestVerb(typed: string, names: readonly string[]): string {
  const verbs = new Set(names.map(name => name.split(' ')[0] ?? ''))
  const most = typed.length < 5 ? 1 : 2
  const near = [...verbs].filter(verb => typed.length > 2 && editDistance(typed, verb, most) <= most)
  return near.length === 0 ? '' : `Did you mean ${near.map(verb => `\`cairn ${verb}\``).join(' or ')}? `
}

/** An error often repeats its input: a secret in it must not reach a log, and an escape sequence must not reach the terminal. */
async function showError(error: CairnError, json: boolean, terminal: Terminal): Promise<void> {
  const { redact } = await import('../../kernel/text/redaction/redact.ts')
  const { code, message, hint, details } = withoutSecrets(error, text => redact(text).text)
  if (json) {
    terminal.out(
      `${JSON.stringify({ error: { code, message, hint, ...(details !== undefined && { details }) } })}\n`,
    )
    return
  }
  const { visible } = await import('../../kernel/text/visible.ts')
  terminal.err(`${terminal.bad('cairn:')} ${visible(message)}\n  ${terminal.dim('→')} ${visible(hint)}\n`)
}

function withoutSecrets({ code, message, hint, details }: CairnError, clean: (text: string) => string) {
  const cleanAll = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return value.map(cleanAll)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleanAll(inner)]))
  }
  return { code, message: clean(message), hint: clean(hint), details: cleanAll(details) }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
