import * as v from 'valibot'
import { LAYOUT } from '../../../kernel/layout.ts'
import {
  type Bundle,
  type BundleCheckpoint,
  type ProjectState,
  STATE_VERSION,
} from '../../../kernel/model/bundle.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { CheckpointFile, StateFiles, StateReading } from './ports.ts'

/** A larger state is not read: it may have come with a clone. Ours have about ten kilobytes. */
export const MAX_STATE_BYTES = 4 * 1_048_576

const text = v.string('a text')
const moment = v.pipe(
  text,
  v.check(value => !Number.isNaN(Date.parse(value)), 'a time in UTC: 2026-03-16T10:00:00.000Z'),
)
const amount = v.pipe(v.number('a whole number'), v.integer('a whole number'), v.minValue(0, 'at least 0'))
const hash = v.pipe(text, v.regex(/^[0-9a-f]{64}$/, 'a SHA-256, 64 digits'))
const listOf = <Item extends v.GenericSchema>(item: Item) => v.pipe(v.array(item, 'a list'), v.readonly())
const object = <Entries extends v.ObjectEntries>(entries: Entries) => v.object(entries, 'an object')
const sources = listOf(text)

const itemSchema = object({
  text,
  since: moment,
  sources,
  files: v.exactOptional(listOf(text)),
})

export const bundleSchema = object({
  project: object({ name: text, description: v.exactOptional(text) }),
  projectMap: object({
    languages: listOf(object({ name: text, files: amount })),
    packages: listOf(object({ name: text, path: text, kind: text })),
    entryPoints: listOf(object({ path: text, what: text })),
    scripts: listOf(object({ name: text, command: text, path: text })),
    folders: listOf(object({ path: text, files: amount })),
  }),
  currentFocus: listOf(itemSchema),
  gotchas: listOf(itemSchema),
  nextSteps: listOf(itemSchema),
  validationCommands: listOf(
    object({
      command: text,
      lastOutcome: v.exactOptional(v.picklist(['passed', 'failed'], 'passed or failed')),
      lastRunAt: v.exactOptional(moment),
      sources,
    }),
  ),
})

const versionSchema = v.literal(STATE_VERSION, `${STATE_VERSION}`)

const stateSchema = object({
  schemaVersion: versionSchema,
  generatorVersion: text,
  provider: text,
  generatedAt: moment,
  bundleHash: hash,
  bundle: bundleSchema,
  maintenance: object({
    lastRecalledAt: v.nullable(moment),
    lastRecalledEventId: v.nullable(text),
    latestCheckpointId: v.nullable(text),
    historyEventCount: amount,
    importSourceCount: amount,
    recallCursors: v.record(text, object({ id: text, at: moment }), 'an object'),
    setAside: v.exactOptional(v.record(text, text, 'an object')),
    lastSaid: v.exactOptional(v.record(text, moment, 'an object')),
    settledEntries: v.exactOptional(v.record(text, object({ at: moment, why: text }), 'an object')),
  }),
})

const checkpointSchema = object({
  schemaVersion: versionSchema,
  id: text,
  createdAt: moment,
  bundleHash: hash,
  reason: text,
  bundle: bundleSchema,
})

export type Parsed<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'newer'; readonly version: number }
  /** `reason` names the field, and never contains its value. */
  | { readonly kind: 'damaged'; readonly reason: string }

export function parseState(written: string): Parsed<ProjectState> {
  return parse(written, stateSchema)
}

export function parseCheckpoint(written: string): Parsed<BundleCheckpoint> {
  return parse(written, checkpointSchema)
}

function parse<T>(written: string, schema: v.GenericSchema<unknown, T>): Parsed<T> {
  let json: unknown
  try {
    json = JSON.parse(written.replace(/^\ufeff/, ''))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { kind: 'damaged', reason: 'it is not JSON' }
  }
  const version = (json as { schemaVersion?: unknown } | null)?.schemaVersion
  if (typeof version === 'number' && Number.isInteger(version) && version > STATE_VERSION)
    return { kind: 'newer', version }
  const result = v.safeParse(schema, json)
  if (result.success) return { kind: 'read', value: result.output }
  const [issue] = result.issues
  return { kind: 'damaged', reason: `${fieldOf(issue)} must be ${expected(issue)}` }
}

/** `bundle.gotchas[2].text` */
function fieldOf({ path }: v.BaseIssue<unknown>): string {
  if (path === undefined) return 'the whole'
  const written = path
    .map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key).slice(0, MAX_KEY_LENGTH)}`))
    .join('')
    .replace(/^\./, '')
  return `\`${written}\``
}

/** The key of a cursor comes from the file. */
const MAX_KEY_LENGTH = 40

/** For a missing field valibot has the message of the object. */
function expected(issue: v.BaseIssue<unknown>): string {
  return issue.received === 'undefined' && issue.kind === 'schema' && issue.type === 'object'
    ? 'there'
    : issue.message
}

export const STATE = LAYOUT.state.path
export const CHECKPOINTS = LAYOUT.stateCheckpoints.path.slice(0, -1)
export const CHECKPOINT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
/** Our ids have the time: `2026-03-16T10-00-00-000Z-k3f9`. */
const OWN_ID = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z-/

type HashOf = (bundle: Bundle) => string

export function judgeState(parsed: Parsed<ProjectState> | undefined, hashOf: HashOf): StateReading {
  if (parsed === undefined) return { kind: 'none' }
  if (parsed.kind === 'newer') return parsed
  if (parsed.kind === 'damaged') return { kind: 'damaged', problem: damaged(STATE, parsed.reason) }
  const state: ProjectState = parsed.value
  return { kind: 'read', state, isHandEdited: hashOf(state.bundle) !== state.bundleHash }
}

export function judgeCheckpoint(
  parsed: Parsed<BundleCheckpoint> | undefined,
  id: string,
  hashOf: HashOf,
): Awaited<ReturnType<StateFiles['readCheckpoint']>> {
  if (parsed === undefined) return undefined
  const name = `${CHECKPOINTS}/${id}.json`
  if (parsed.kind === 'read') {
    const isWhole = hashOf(parsed.value.bundle) === parsed.value.bundleHash
    if (isWhole) return { kind: 'read', checkpoint: { ...parsed.value, id } }
    return { kind: 'damaged', problem: damaged(name, '`bundleHash` must be the hash of `bundle`') }
  }
  return {
    kind: 'damaged',
    problem: damaged(name, parsed.kind === 'newer' ? `it has version ${parsed.version}` : parsed.reason),
  }
}

/** A state that cannot be read or was changed by hand is saved before it is replaced. */
export function isWorthSaving(reading: StateReading): boolean {
  return reading.kind === 'damaged' || (reading.kind === 'read' && reading.isHandEdited === true)
}

/** The time in the id of a checkpoint. */
export function timeInId(id: string): string | undefined {
  const [, hour, minute, second, ms] = OWN_ID.exec(id) ?? []
  const inName = `${hour}:${minute}:${second}.${ms}Z`
  return hour === undefined || Number.isNaN(Date.parse(inName)) ? undefined : inName
}

export function newestFirst(a: CheckpointFile, b: CheckpointFile): number {
  return a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.id < b.id ? 1 : -1
}

export function checkpointFileOf(id: string, createdAt: string): CheckpointFile {
  return { id, createdAt, path: `${CHECKPOINTS}/${id}.json` }
}

export function checkedId(id: string): string {
  if (CHECKPOINT_ID.test(id)) return id
  throw new Error(`${id} is not an id of a checkpoint`)
}

function damaged(name: string, reason: string): Problem {
  const isState = name === STATE
  return {
    code: isState ? 'state_damaged' : 'checkpoint_damaged',
    path: name,
    message: `.memory/${name} cannot be used: ${reason}.`,
    hint: isState
      ? '`cairn recall` rebuilds it from the vault and the events, and saves this one next to it.'
      : 'The other checkpoints can be used; `cairn checkpoints` lists them.',
  }
}

export function newerState(version: number): CairnError {
  return new CairnError({
    code: 'vault_newer',
    message: `.memory/${STATE} has version ${version}: a newer Cairn wrote it. It is left as it is.`,
    hint: 'Update Cairn to recall here.',
  })
}
