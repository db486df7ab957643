import * as v from 'valibot'
import type { Composed } from '../../compose/composed.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { agentActs } from '../../verbs/agent-rules.ts'
import { type Operation, type OperationContext, parseInput } from '../../verbs/operation.ts'
import { requirePlace } from '../../verbs/runs-in.ts'
import { READY_TELLING, readyText, waitsForUser } from './answers.ts'
import { MORE_TOOLS } from './more-tools.ts'
import { entryUri } from './resources.ts'
import { entriesOf, inputSchemaOf, listedSchema, type ToolJsonSchema, typeOf } from './tool-schema.ts'
import { READY_TOOLS, type ReadyRow, TOOLS, type ToolRow } from './tools.ts'

export interface ListedTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: ToolJsonSchema
  readonly annotations: Readonly<Record<string, boolean>>
}

/** An answer, and what was written: the resources that say something else now, or none that has a name. */
export interface ToolAnswer {
  readonly text: string
  readonly changed: readonly string[] | undefined
}

export type Tool = ToolRow | ReadyRow

const rowsOf = (hasAllTools: boolean): readonly ToolRow[] => (hasAllTools ? [...TOOLS, ...MORE_TOOLS] : TOOLS)

export function findTool(name: string, hasAllTools: boolean): Tool | undefined {
  return [...rowsOf(hasAllTools), ...READY_TOOLS].find(row => row.name === name)
}

/** Without an engine, those that need nothing of the project. */
export async function listTools(hasAllTools: boolean, memory?: Composed): Promise<readonly ListedTool[]> {
  const listed: ListedTool[] = []
  for (const row of rowsOf(hasAllTools)) {
    if (row.isOffered !== undefined && (memory === undefined || !(await row.isOffered(memory)))) continue
    const operations = await Promise.all(Object.values(row.verbs).map(load => load()))
    listed.push(listedTool(row, inputSchemaOf(row, operations)))
  }
  for (const row of READY_TOOLS) {
    if (memory === undefined || !(await row.isOffered(memory, hasAllTools))) continue
    listed.push(listedTool(row, listedSchema((await row.tool()).input, row.unlisted)))
  }
  return listed
}

function listedTool(row: Tool, inputSchema: ToolJsonSchema): ListedTool {
  const { name, description } = row
  const title = 'title' in row && { title: row.title }
  return { name, ...title, description, inputSchema, annotations: annotationsOf(row) }
}

/** Only what is not so by the protocol's defaults (destructive, open to the world, not idempotent): every word is read in every session. */
function annotationsOf(row: Tool): Readonly<Record<string, boolean>> {
  if (row.effect === 'reads') return { readOnlyHint: true, openWorldHint: false }
  const isIdempotent = 'isIdempotent' in row && row.isIdempotent === true
  return {
    destructiveHint: row.effect === 'removes',
    ...(isIdempotent && { idempotentHint: true }),
    openWorldHint: false,
  }
}

/** What a tool takes is checked here, by its operation, whose errors say what to do next. */
export async function callTool(
  opened: Composed,
  row: Tool,
  input: unknown,
  context: OperationContext = {},
): Promise<ToolAnswer> {
  const memory: Composed = { ...opened, actor: { ...opened.actor, isAgent: true } }
  if ('tool' in row) return { text: await callReady(memory, row, input, context), changed: undefined }
  const { action, operation, input: fields } = await chooseOperation(row, input)
  const { agent } = memory.actor
  const own = agent === undefined ? {} : (row.asAgent?.(agent) ?? {})
  const parsed = parseInput(operation, { ...row.defaults, ...own, ...fields })
  agentActs(operation, parsed)
  requirePlace(operation, memory)
  const output = await operation.run(memory, parsed, { ...context, isAgent: true })
  const answer = output as Proposed
  if (answer.proposed !== undefined)
    return { text: waitsForUser(answer, answer.proposed), changed: undefined }
  const isRead = row.effect === 'reads' || action === 'list'
  return { text: row.answer(output as never, action), changed: isRead ? undefined : touchedBy(output) }
}

interface Proposed {
  readonly proposed?: string
  readonly entry?: Entry
  readonly task?: { readonly text: string }
}

function touchedBy(output: unknown): readonly string[] {
  const { entry, stored = [] } = output as { readonly entry?: Entry; readonly stored?: readonly Entry[] }
  return [...(entry === undefined ? [] : [entry]), ...stored].map(({ id }) => entryUri(id))
}

async function callReady(
  memory: Composed,
  row: ReadyRow,
  given: unknown,
  context: OperationContext,
): Promise<string> {
  const { name } = row
  const tool = await row.tool()
  const parsed = v.safeParse(tool.input, given ?? {})
  if (parsed.success) return readyText(await tool.run(memory, parsed.output, READY_TELLING, context), memory)
  const [issue] = parsed.issues
  throw new CairnError({
    code: 'invalid_input',
    message: `${name}: \`${issue.path?.map(({ key }) => String(key)).join('.') ?? 'input'}\`: ${issue.message}`,
    hint: `It takes ${Object.keys(typeOf(tool.input).properties as object).join(', ')}. For example: ${row.example}`,
  })
}

async function chooseOperation(row: ToolRow, given: unknown) {
  const { action: asked, ...input } = (given ?? {}) as Record<string, unknown>
  const actions = Object.keys(row.verbs)
  const action = asked === undefined ? (actions[0] ?? '') : String(asked)
  const isKnown = Object.hasOwn(row.verbs, action) && (asked === undefined || actions.length > 1)
  const operation = isKnown ? await row.verbs[action]?.() : undefined
  const unknown =
    operation === undefined ? 'action' : Object.keys(input).find(field => !isOffered(row, operation, field))
  if (operation === undefined || unknown !== undefined)
    throw invalidInput(row, `${row.name} does not take this \`${(unknown ?? 'action').slice(0, 40)}\`.`)
  const missing = Object.keys(entriesOf(operation)).find(
    field =>
      Object.hasOwn(row.fields, field) &&
      entriesOf(operation)[field]?.type !== 'optional' &&
      input[field] === undefined,
  )
  if (missing !== undefined) throw invalidInput(row, `${row.name} needs \`${missing}\`.`)
  return { action, operation, input }
}

function invalidInput(row: ToolRow, message: string): CairnError {
  const actions = Object.keys(row.verbs)
  const takes = [
    ...(actions.length > 1 ? [`action (${actions.join(', ')})`] : []),
    ...Object.keys(row.fields),
  ]
  return new CairnError({ code: 'invalid_input', message, hint: `It takes ${takes.join(', ')}.` })
}

function isOffered(row: ToolRow, operation: Operation, field: string): boolean {
  const isKnown = Object.hasOwn(row.fields, field) || row.unlisted?.includes(field) === true
  return isKnown && Object.hasOwn(entriesOf(operation), field)
}
