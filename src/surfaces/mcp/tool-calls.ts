import * as v from 'valibot'
import type { Composed } from '../../compose/composed.ts'
import { neutralise, neutraliseName } from '../../features/brief/decide/fence.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { agentActs } from '../../verbs/agent-rules.ts'
import { bounded, headline, MAX_CHARACTERS, outline } from '../../verbs/agent-text.ts'
import { jsonSchemaOf } from '../../verbs/json-schema.ts'
import {
  type ObjectSchema,
  type Operation,
  type OperationContext,
  parseInput,
} from '../../verbs/operation.ts'
import type { ReadyTool, RegisteredTool } from '../../verbs/ready-tool.ts'
import { requirePlace } from '../../verbs/runs-in.ts'
import type { ToolNeed, ToolOfVerb } from '../../verbs/tool.ts'
import { entryUri } from './resources.ts'
import { TOOLS } from './tools.generated.ts'

export interface ListedTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: ToolJsonSchema
  readonly annotations: Readonly<Record<string, boolean>>
}

/** An answer, and the resources that changed. */
interface ToolAnswer {
  readonly text: string
  readonly changed: readonly string[] | undefined
}

const NEEDS: Readonly<Record<ToolNeed, (memory: Composed, hasAllTools: boolean) => Promise<boolean>>> = {
  otherProjects: memory => memory.across.hasOthers(),
  workspaces: async memory => (await memory.documents()).exists(),
  work: async (memory, hasAllTools) => hasAllTools || memory.work.exists(),
}

export function findTool(name: string, hasAllTools: boolean): RegisteredTool | undefined {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  return tool?.isExtra === true && !hasAllTools ? undefined : tool
}

/** Without a memory: the tools that need nothing of the project. */
export async function listTools(hasAllTools: boolean, memory?: Composed): Promise<readonly ListedTool[]> {
  const listed: ListedTool[] = []
  for (const tool of Object.values(TOOLS)) {
    if (tool.isExtra === true && !hasAllTools) continue
    const { needs } = tool
    if (needs !== undefined && (memory === undefined || !(await NEEDS[needs](memory, hasAllTools)))) continue
    listed.push(await ('ready' in tool ? listedReady(tool) : listedVerbs(tool)))
  }
  return listed
}

type Ready = Extract<RegisteredTool, { ready: unknown }>
type Verbs = Extract<RegisteredTool, { verbs: unknown }>

async function listedReady({ ready }: Ready): Promise<ListedTool> {
  const tool = await ready()
  return listedTool(tool, listedSchema(tool.input, tool.unlisted))
}

async function listedVerbs({ verbs }: Verbs): Promise<ListedTool> {
  const operations = await Promise.all(Object.values(verbs).map(load => load()))
  const described = descriptionOf(operations)
  return listedTool(described, inputSchemaOf(described, Object.keys(verbs), operations))
}

function descriptionOf([first]: readonly Operation[]): ToolOfVerb {
  if (first?.tool === undefined || !('fields' in first.tool))
    throw new Error(`${first?.name} does not describe its tool`)
  return first.tool
}

function listedTool(tool: ReadyTool | ToolOfVerb, inputSchema: ToolJsonSchema): ListedTool {
  const { name, title, description } = tool
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    annotations: annotationsOf(tool),
  }
}

/** Only what differs from the protocol's defaults (destructive, open world, not idempotent), because every session reads every word. */
function annotationsOf(tool: ReadyTool | ToolOfVerb): Readonly<Record<string, boolean>> {
  if (tool.effect === 'reads') return { readOnlyHint: true, openWorldHint: false }
  const isIdempotent = 'isIdempotent' in tool && tool.isIdempotent === true
  return {
    destructiveHint: tool.effect === 'removes',
    ...(isIdempotent && { idempotentHint: true }),
    openWorldHint: false,
  }
}

/** The operation checks the input of a tool; its errors name the next step. */
export async function callTool(
  opened: Composed,
  tool: RegisteredTool,
  input: unknown,
  context: OperationContext = {},
): Promise<ToolAnswer> {
  const memory: Composed = { ...opened, actor: { ...opened.actor, isAgent: true } }
  if ('ready' in tool) {
    const text = await callReady(memory, await tool.ready(), input, context)
    return { text, changed: undefined }
  }
  const { action, described, operation, input: fields } = await chooseOperation(tool, input)
  const { agent } = memory.actor
  const { agentField, defaults } = described
  const own = agent === undefined || agentField === undefined ? {} : { [agentField]: agent }
  const parsed = parseInput(operation, { ...defaults, ...own, ...fields })
  agentActs(operation, parsed)
  requirePlace(operation, memory)
  const output = await operation.run(memory, parsed, { ...context, isAgent: true })
  const answer = output as Proposed
  if (answer.proposed !== undefined)
    return { text: waitsForUser(answer, answer.proposed), changed: undefined }
  const render = (await operation.tool?.answer?.()) ?? outline
  const isRead = tool.effect === 'reads' || action === 'list'
  return { text: render(output as object), changed: isRead ? undefined : touchedBy(output) }
}

interface Proposed {
  readonly proposed?: string
  readonly entry?: Entry
  readonly task?: { readonly text: string }
}

/** The entry belongs to a person, so nothing changed. */
function waitsForUser({ entry, task }: Proposed, proposed: string): string {
  const what = entry === undefined ? neutralise(task?.text ?? '') : headline(entry)
  return `Nothing changed yet. The entry is the user's, so this waits for them in \`cairn review\` (${neutraliseName(proposed)}): ${what}`
}

function touchedBy(output: unknown): readonly string[] {
  const { entry, stored = [] } = output as { readonly entry?: Entry; readonly stored?: readonly Entry[] }
  return [...(entry === undefined ? [] : [entry]), ...stored].map(({ id }) => entryUri(id))
}

/** Texts are neutralised before they become YAML: a marker at the start of a line would end the YAML. */
const READY_ANSWER = { clean: neutralise, maxCharacters: MAX_CHARACTERS }

async function callReady(
  memory: Composed,
  tool: ReadyTool,
  given: unknown,
  context: OperationContext,
): Promise<string> {
  const { name, example } = tool
  const parsed = v.safeParse(tool.input, given ?? {})
  if (parsed.success) {
    const text = await tool.run(memory, parsed.output, READY_ANSWER, context)
    return bounded([text], { degraded: memory.store.takeDegraded() })
  }
  const [issue] = parsed.issues
  throw new CairnError({
    code: 'invalid_input',
    message: `${name}: \`${issue.path?.map(({ key }) => String(key)).join('.') ?? 'input'}\`: ${issue.message}`,
    hint: `It takes ${Object.keys(typeOf(tool.input).properties as object).join(', ')}. For example: ${example}`,
  })
}

async function chooseOperation({ verbs }: Verbs, given: unknown) {
  const { action: asked, ...input } = (given ?? {}) as Record<string, unknown>
  const actions = Object.keys(verbs)
  const [first = ''] = actions
  const action = asked === undefined ? first : String(asked)
  const isKnown = Object.hasOwn(verbs, action) && (asked === undefined || actions.length > 1)
  const load = async (of: string) => (verbs[of] as () => Promise<Operation>)()
  const described = descriptionOf([await load(first)])
  const operation = isKnown ? await load(action) : undefined
  const unknown =
    operation === undefined
      ? 'action'
      : Object.keys(input).find(field => !isOffered(described, operation, field))
  const refused = (message: string) => invalidInput(described, actions, message)
  if (operation === undefined || unknown !== undefined)
    throw refused(`${described.name} does not take this \`${(unknown ?? 'action').slice(0, 40)}\`.`)
  const missing = Object.keys(entriesOf(operation)).find(
    field =>
      Object.hasOwn(described.fields, field) &&
      entriesOf(operation)[field]?.type !== 'optional' &&
      input[field] === undefined,
  )
  if (missing !== undefined) throw refused(`${described.name} needs \`${missing}\`.`)
  return { action, described, operation, input }
}

function invalidInput({ fields }: ToolOfVerb, actions: readonly string[], message: string): CairnError {
  const takes = [...(actions.length > 1 ? [`action (${actions.join(', ')})`] : []), ...Object.keys(fields)]
  return new CairnError({ code: 'invalid_input', message, hint: `It takes ${takes.join(', ')}.` })
}

function isOffered({ fields, unlisted = [] }: ToolOfVerb, operation: Operation, field: string): boolean {
  const isKnown = Object.hasOwn(fields, field) || unlisted.includes(field)
  return isKnown && Object.hasOwn(entriesOf(operation), field)
}

type ToolJsonSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>

/** The input of a tool as JSON Schema, from the schemas of its operations. */
function inputSchemaOf(
  { name, fields }: ToolOfVerb,
  actions: readonly string[],
  operations: readonly Operation[],
): ToolJsonSchema {
  const required: string[] = []
  const properties: Record<string, unknown> =
    actions.length > 1 ? { action: { type: 'string', enum: actions } } : {}
  for (const [field, description] of Object.entries(fields)) {
    const known = operations.flatMap(operation => entriesOf(operation)[field] ?? [])
    const [schema] = known
    if (schema === undefined) throw new Error(`no operation of ${name} has ${field}`)
    if (schema.type !== 'optional' && known.length === operations.length) required.push(field)
    properties[field] = { ...typeOf(schema as v.GenericSchema), ...(description !== '' && { description }) }
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

type Schema = ObjectSchema['entries'][string]

function entriesOf(operation: Operation): Readonly<Record<string, Schema>> {
  return operation.input.entries
}

/** Without the fields that are accepted but not listed. */
function listedSchema(schema: v.GenericSchema, unlisted: readonly string[]): ToolJsonSchema {
  const whole = typeOf(schema)
  const properties = Object.entries(whole.properties as Record<string, unknown>).filter(
    ([name]) => !unlisted.includes(name),
  )
  return { ...whole, type: 'object', properties: Object.fromEntries(properties) }
}

/** The type of a value at any depth, without descriptions: the names are enough, and every session reads every word. */
function typeOf(schema: v.GenericSchema): Readonly<Record<string, unknown>> {
  return jsonSchemaOf(schema, { isTerse: true })
}
