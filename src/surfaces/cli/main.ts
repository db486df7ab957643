import type { HubCommand } from '../../addons/hub/verbs/hub-operation.ts'
import { composeEngine, composeUserEngine } from '../../compose/compose.ts'
import type { Composed } from '../../compose/composed.ts'
import { resolveProject } from '../../features/projects/resolve-project.ts'
import type { AgentEvent } from '../../kernel/model/agent-run.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { MEMORY_WORDS, verbWords } from '../../kernel/model/memory-words.ts'
import { asStorageError } from '../../kernel/system/disk.ts'
import { readEnvironment } from '../../kernel/system/environment.ts'
import { openTerminal, type Terminal } from '../../kernel/system/terminal.ts'
import { editDistance } from '../../kernel/text/edit-distance.ts'
import { agentActs } from '../../verbs/agent-rules.ts'
import { type Operation, parseInput, type Question } from '../../verbs/operation.ts'
import { type GlobalOptions, readInput, takeGlobals } from './arguments.ts'

/** What a command line is made of. The one for looking has less, so that it starts faster. */
export interface CommandLineParts {
  readonly version: string
  /** Every verb by name, loaded when it is used. */
  readonly operations: Readonly<Record<string, () => Promise<Operation>>>
  /** Shows the answer of a verb to a person. */
  readonly present: (verb: string, output: unknown, terminal: Terminal) => void
}

/** Verbs that are about the command line itself. */
const OWN_VERBS: Readonly<
  Record<string, (words: string[], terminal: Terminal, globals: GlobalOptions) => Promise<void>>
> = {
  help: async (words, terminal) =>
    terminal.out(await (await import('./help.ts')).renderHelp(words.join(' '))),
  completion: async (words, terminal) =>
    terminal.out(await (await import('./completion.ts')).renderCompletion(words[0])),
  'merge-driver': async () => {
    throw new CairnError({
      code: 'invalid_input',
      message: 'cairn merge-driver is called by git, with the three versions of a file.',
      hint: 'For example: cairn merge-driver install',
    })
  },
  // The launcher has started the server where this is the first word; what it cannot read comes here.
  mcp: async () => {
    throw new CairnError({
      code: 'invalid_input',
      message: 'cairn mcp takes nothing but --root <folder> and --all-tools, behind it.',
      hint: 'For example: cairn mcp --root ~/code/api',
    })
  },
  // The same: what the server's own command line can read, it has read.
  up: async (words, _terminal, { user }) => {
    const wrong = words[0] ?? (user ? '--user' : undefined)
    throw new CairnError({
      code: 'invalid_input',
      message: `cairn up does not take ${wrong === undefined ? 'a value for a flag that is on or off' : `"${wrong.slice(0, 40)}"`}.`,
      hint: '`cairn up --help` shows what it takes.',
    })
  },
  token: async (words, terminal, globals) =>
    terminal.out((await import('./token.ts')).tokenAnswer(words, globals)),
  // Hosts name themselves and their event, and get no further than the launcher.
  hook: async () => {
    throw new CairnError({
      code: 'invalid_input',
      message: 'cairn hook is called by hosts, with their name, an event, and its payload on standard input.',
      hint: 'For example: echo \'{"prompt":"why no websockets?"}\' | cairn hook claude-code UserPromptSubmit',
    })
  },
  // With the words of a verb it is that verb; this is what is left.
  memory: async words => {
    throw new CairnError({
      code: 'invalid_input',
      message:
        words.length === 0
          ? 'cairn memory needs a word.'
          : `cairn memory has no "${words[0]?.slice(0, 40)}".`,
      hint: `It knows ${MEMORY_WORDS.join(', ')}, and - for a slash command on standard input.`,
    })
  },
  demo: async (_words, terminal) => (await import('./demo.ts')).runDemo(terminal),
}

const MERGE_DRIVER = 'merge-driver'
const HOOK = 'hook'
const MEMORY = 'memory'

/** Fields for which `-` says that the text comes on standard input. */
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
  const { version, operations } = parts
  const environment = readEnvironment()
  let json = argv.includes('--json')
  let terminal = openTerminal({ colour: environment.noColour ? false : undefined })
  // As git calls it: with file names that may look like flags, and an exit code that means something else.
  if (argv[0] === MERGE_DRIVER && argv.length > 2 && !argv[1]?.startsWith('-'))
    if (!Object.hasOwn(operations, `${MERGE_DRIVER} ${argv[1]}`))
      return (await import('./merge-driver.ts')).runMergeDriver(argv.slice(1), terminal)
  // As hosts call it: whatever happens, it is silent and ends with 0.
  if (argv[0] === HOOK && argv.length > 2) return (await import('../hook/main.ts')).main(argv)
  try {
    const { globals, rest } = takeGlobals(argv)
    json = globals.json
    if (globals.color !== undefined) terminal = openTerminal({ colour: globals.color })
    if (globals.version) {
      terminal.out(json ? `${JSON.stringify({ version })}\n` : `${version}\n`)
      return 0
    }
    if (rest.length === 0 || (globals.help && verbOf(rest, operations).name === undefined)) {
      const family = familyOf(rest, operations).length > 0 ? (rest[0] ?? '') : ''
      terminal.out(await (await import('./help.ts')).renderHelp(family))
      return 0
    }
    const asked = wordsMeant(rest)
    const { name, words } = verbOf(asked, operations)
    if (name === undefined) throw unknownVerb(asked, operations)
    if (globals.help) {
      terminal.out(await (await import('./help.ts')).renderHelp(name))
      return 0
    }
    const isTyped = name === MEMORY && words[0] === '-' && words.length === 1
    const own = OWN_VERBS[name]
    if (own !== undefined && !isTyped) {
      await own(words, terminal, globals)
      return 0
    }
    const call = { terminal, globals, environment, present: parts.present }
    if (isTyped) return await runTyped(operations, call)
    const load = (verb: string) => (operations[verb] as () => Promise<Operation>)()
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
  readonly present: CommandLineParts['present']
  /** A slash command: a person typed it, in whatever environment the host runs. */
  readonly isTypedByPerson?: boolean
}

/** `cairn memory -`: a slash command as it was typed, from where no shell has read it. */
async function runTyped(operations: Operations, around: Around): Promise<number> {
  const { readTyped } = await import('../../hosts/hooks/verbs/memory-command.ts')
  const { verb, input } = readTyped(await readStandardInput())
  const operation = await (operations[verb] as () => Promise<Operation>)()
  return runOperation(operation, { ...input }, { ...around, isTypedByPerson: true })
}

async function runOperation(
  operation: Operation,
  input: Record<string, unknown>,
  { terminal, globals, environment, present, isTypedByPerson = false }: Around,
): Promise<number> {
  if (globals.user) refuseForUser(operation, globals)
  if ('runWith' in operation) {
    const output = await (await import('./hub-verb.ts')).runHubVerb(operation as HubCommand, input, {
      onProgress: terminal.progress,
    })
    if (globals.json) terminal.out(`${JSON.stringify(output)}\n`)
    else present(operation.name, output, terminal)
    return 0
  }
  // With CAIRN_AGENT in its environment the caller says that it is an agent.
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
      present,
      isAgent,
    })
    terminal.endProgress()
    if (operation.name === 'validate') {
      const { showValidation } = await import('./show-validation.ts')
      const { actionsCheckout } = environment
      return showValidation(output, { terminal, isJson: globals.json, actionsCheckout })
    }
    const { proposed } = output as { readonly proposed?: string }
    if (globals.json) terminal.out(`${JSON.stringify(output)}\n`)
    else if (proposed !== undefined)
      terminal.out(`Nothing changed yet: it waits for the user in \`cairn review\` (${proposed}).\n`)
    else present(operation.name, output, terminal)
    if (!('degraded' in (output as object)))
      for (const { message } of memory.store.takeDegraded())
        terminal.err(`${terminal.dim('note:')} ${message}\n`)
    const after = (operation.after ?? []).filter(
      step => step !== 'documentVectors' || memory.shelf.takeNews(),
    )
    if (after.length > 0) await (await import('./after-answer.ts')).runAfterAnswer(memory, after)
    return operation.exitCode?.(output) ?? 0
  } finally {
    await memory.close()
  }
}

/** A project's verb on the person's memory would answer something that nobody asked. */
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
    hint: '--user goes with remember, search, list, show, edit, forget and others; `cairn help <verb>` shows where.',
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
  readonly present: CommandLineParts['present']
  readonly isAgent: boolean
}

/** Where several entries fit, a person is asked which one; a program gets the error with the candidates. */
async function runAsking(call: Call): Promise<unknown> {
  const { operation, engine: memory, terminal, globals } = call
  const askable = terminal.isInteractive && !globals.json
  const context = {
    onProgress: terminal.progress,
    from: call.from,
    ...(call.isAgent && { isAgent: true }),
    ...(!globals.json && { onAgentEvent: await agentTeller(call) }),
    untilEnded: () =>
      new Promise<void>(resolve => {
        process.once('SIGINT', () => resolve())
        process.once('SIGTERM', () => resolve())
      }),
    // A program that reads the answer gets the question as an error.
    ...(!globals.json && { ask: async (question: Question) => askFirst(question, call) }),
  }
  try {
    if (operation.name === 'edit' && Object.keys(call.input).length === 1) {
      const { editInteractively } = await import('./edit-interactively.ts')
      return await editInteractively({ ...call, askable })
    }
    return await operation.run(memory, parseInput(operation, call.input), context)
  } catch (error) {
    if (!askable || !(error instanceof CairnError) || error.code !== 'ambiguous_match') throw error
    const { chooseCandidate } = await import('./choose-candidate.ts')
    const target = await chooseCandidate(error, terminal)
    return runAsking({ ...call, input: { ...call.input, target } })
  }
}

/** What an agent says is shown as it comes. */
async function agentTeller({ operation, terminal }: Call) {
  if (operation.name !== 'agent run') return () => undefined
  const { presentAgentEvent } = await import('../../hosts/run/present-agent.ts')
  return (event: AgentEvent) => presentAgentEvent(event, terminal)
}

async function askFirst(question: Question, { operation, terminal, present }: Call): Promise<boolean> {
  terminal.endProgress()
  if (question.shown !== undefined) present(operation.name, question.shown, terminal)
  return (await import('./ask-first.ts')).askYesOrNo(question, terminal)
}

type Operations = CommandLineParts['operations']

/** `cairn memory status` is `cairn status`: the words of seed C's `/memory`, and no second way to do it. */
function wordsMeant(rest: readonly string[]): readonly string[] {
  return rest[0] === MEMORY ? (verbWords(rest.slice(1)) ?? rest) : rest
}

function verbOf(
  words: readonly string[],
  operations: Operations,
): { name: string | undefined; words: string[] } {
  for (const length of [3, 2, 1]) {
    const name = words.slice(0, length).join(' ')
    if (words.length >= length && (Object.hasOwn(operations, name) || Object.hasOwn(OWN_VERBS, name))) {
      return { name, words: withoutList(words.slice(length), name, operations) }
    }
  }
  return { name: undefined, words: [...words] }
}

/** Where a word alone lists a family, `hot list` says the same as `hot`. */
function withoutList(words: string[], name: string, operations: Operations): string[] {
  const isFamily = words[0] === 'list' && familyOf([name], operations).length > 0
  return isFamily ? words.slice(1) : words
}

/** The verbs that begin with the first word: `task add`, `task done` for `task`. */
function familyOf([first = '']: readonly string[], operations: Operations): string[] {
  return Object.keys(operations).filter(name => name.startsWith(`${first} `))
}

function unknownVerb(words: readonly string[], operations: Operations): CairnError {
  const [first = ''] = words
  const family = familyOf(words, operations)
  return new CairnError({
    code: 'unknown_verb',
    message:
      family.length > 0
        ? `cairn ${first} needs one of: ${family.map(name => name.slice(first.length + 1)).join(', ')}.`
        : `There is no verb "${first.slice(0, 40)}".`,
    hint:
      family.length > 0
        ? `For example: cairn ${family[0]}`
        : `${nearestVerb(first, operations)}\`cairn help\` lists the verbs.`,
  })
}

/** A verb that is one or two letters away is what was meant, more often than not. */
function nearestVerb(typed: string, operations: Operations): string {
  const verbs = new Set(
    [...Object.keys(operations), ...Object.keys(OWN_VERBS)].map(name => name.split(' ')[0] ?? ''),
  )
  const most = typed.length < 5 ? 1 : 2
  const near = [...verbs].filter(verb => typed.length > 2 && editDistance(typed, verb, most) <= most)
  return near.length === 0 ? '' : `Did you mean ${near.map(verb => `\`cairn ${verb}\``).join(' or ')}? `
}

/** An error often repeats what it was given: a secret in it must not reach a log, an escape sequence not the terminal. */
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

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
