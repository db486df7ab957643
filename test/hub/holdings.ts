import type * as v from 'valibot'
import type { RouteName } from '../../src/surfaces/http/paths.generated.ts'
import { isOptionalField, jsonSchemaOf } from '../../src/verbs/json-schema.ts'
import type { ObjectSchema } from '../../src/verbs/operation.ts'
import type { HubWorld } from '../support/hub-world.ts'

export type Fields = Record<string, unknown>

/** What a project holds, and by which names it is asked for. */
export interface Held {
  readonly entry: string
  readonly session: string
  /** Of the journal. */
  readonly record: string
  /** Other ids: of a candidate, a task, a checkpoint. */
  readonly others: readonly string[]
  /** A text that a question may hold, as anybody might ask it: the mark is in what is found by it. */
  readonly asked: string
}

const ASKED = 'combination of the old safe'

/** Fills a memory with something of everything, each with the mark in it. */
export async function holdings(world: HubWorld, project: string, mark: string): Promise<Held> {
  const token = await world.token('admin', project, { name: `founder-of-${project}` })
  const ask = async (name: RouteName, fields: Fields): Promise<Fields> => {
    const { status, body } = await world.ask(name, { project, token, fields })
    if (status !== 200) throw new Error(`${name} of ${project} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
  const idOf = (body: Fields) => (body.entry as { id: string }).id
  const keep = async (content: string, fields: Fields = {}) =>
    idOf(await ask('remember', { content, agent: `${mark}-keeper`, ...fields }))

  const entry = await keep(`The ${ASKED} is ${mark}-9-13-27, kept by Redis. [[The ${mark} ledger]]`, {
    kind: 'decision',
    tags: [`${mark}-tag`],
    files: [`src/${mark}/vault.ts`],
  })
  const ledger = await keep(`The ${mark} ledger is written at night by Redis.`, { kind: 'lesson' })
  const candidate = await keep(`Perhaps ${mark} should move.`, { status: 'candidate' })
  const gone = await keep(`This of ${mark} is forgotten.`)
  const { record } = await ask('forget', { target: gone })
  await ask('pin', { target: ledger })
  const task = idOf(await ask('taskAdd', { text: `Count the ${mark} coins`, agent: `${mark}-keeper` }))
  await ask('projectTextSave', { text: `${mark} is a bank.\n` })
  const session = await talk(ask, mark)
  return {
    entry,
    session,
    record: String(record),
    others: [ledger, candidate, gone, task],
    asked: ASKED,
  }
}

/** Where a hub has no sessions. */
export const NO_SESSION = '20261116-120000-none'

async function talk(
  ask: (name: RouteName, fields: Fields) => Promise<Fields>,
  mark: string,
): Promise<string> {
  const agent = `${mark}-keeper`
  try {
    const { session } = await ask('sessionStart', { agent, host: 'web', chat: `${mark}-chat` })
    const messages = [
      { role: 'user', text: `Where does ${mark} keep its coins?` },
      { role: 'agent', text: `We decided that ${mark} keeps them in the cellar.` },
    ]
    await ask('sessionAppend', { session, agent, messages })
    await ask('sessionCheckpoint', { session, agent })
    return String(session)
  } catch (error) {
    if (!String(error).includes('not_on_hub')) throw error
    return NO_SESSION
  }
}

/** Fields that name something which is there already. */
const REFERENCES: Readonly<Record<string, (held: Held) => unknown>> = {
  target: ({ entry }) => entry,
  entry: ({ entry }) => entry,
  id: ({ entry }) => entry,
  project: () => 'bank',
  ids: ({ entry }) => [entry],
  session: ({ session }) => session,
  record: ({ record }) => record,
  query: ({ asked }) => asked,
  q: ({ asked }) => asked,
  prompt: ({ asked }) => `What is the ${asked}?`,
}

/** Where the fields of a route allow each other only in certain ways. */
const BY_ROUTE: Readonly<Record<string, (held: Held) => Fields>> = {}

/**
 * What a route is asked with, made from its own schema: all that must be there, and everything that can name something of the project. A
 * route that is new is asked without a line being written here.
 */
export async function fieldsFor(name: string, behind: unknown, held: Held): Promise<Fields> {
  const own = BY_ROUTE[name]?.(held)
  if (own !== undefined) return own
  const { input } = behind as { readonly input: ObjectSchema }
  return Object.fromEntries(
    Object.entries(input.entries).flatMap(([field, schema]): [string, unknown][] => {
      const reference = REFERENCES[field]
      if (reference !== undefined) return [[field, reference(held)]]
      return isOptionalField(schema) ? [] : [[field, sampleOf(schema as v.GenericSchema, held)]]
    }),
  )
}

interface Shape {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly minimum?: number
}

function sampleOf(schema: v.GenericSchema, held: Held): unknown {
  return sampleOfShape(jsonSchemaOf(schema) as Shape, held)
}

function sampleOfShape(shape: Shape, held: Held): unknown {
  if (shape.const !== undefined) return shape.const
  if (shape.enum !== undefined) return shape.enum[0]
  if (shape.anyOf?.[0] !== undefined) return sampleOfShape(shape.anyOf[0], held)
  if (shape.type === 'array') return [sampleOfShape(shape.items ?? {}, held)]
  if (shape.type === 'object')
    return Object.fromEntries(
      Object.entries(shape.properties ?? {}).map(([field, each]) => [field, sampleOfShape(each, held)]),
    )
  if (shape.type === 'number' || shape.type === 'integer') return shape.minimum ?? 1
  if (shape.type === 'boolean') return false
  return held.asked
}
