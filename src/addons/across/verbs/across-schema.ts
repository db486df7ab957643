import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { DEFAULT_CONFIG } from '../../../kernel/model/config.ts'
import { STATUSES } from '../../../kernel/model/entry.ts'
import type { Clock } from '../../../kernel/system/clock.ts'
import {
  count,
  degradedSchema,
  documentSchema,
  filterFields,
  list,
  type OperationContext,
} from '../../../verbs/operation.ts'
import type { AcrossPorts, AcrossProjects } from '../decide/rooms.ts'
import type { VisitOptions } from '../visit.ts'

const DEFAULT_WITHIN_MS = 5_000
const MAX_MS = 60_000

export const acrossFields = {
  limit: v.optional(count('How many (default: search.limit, which is 10)', 100)),
  projects: v.optional(list('Only these projects, by name or id')),
  reader: filterFields.reader,
  withinMs: v.optional(
    count(
      `How long to look, in milliseconds (default ${DEFAULT_WITHIN_MS}); what was not reached is told`,
      MAX_MS,
    ),
  ),
}

export const projectNameSchema = v.object({
  id: v.string(),
  name: v.string(),
  root: v.pipe(v.nullable(v.string()), v.description('Its folder; null on a hub')),
  isHere: v.pipe(v.boolean(), v.description('The project that was asked in')),
})

const foundInSchema = v.object({
  project: projectNameSchema,
  entry: v.pipe(v.string(), v.description('The id of the entry in that project')),
  agent: v.string(),
  kind: v.string(),
  status: v.picklist(STATUSES),
  date: v.pipe(v.string(), v.description('UTC, to the minute')),
  session: v.exactOptional(v.string()),
  files: v.pipe(v.array(v.string()), v.readonly()),
  document: v.exactOptional(
    v.pipe(documentSchema, v.description('Set where it is no entry but a document of a workspace')),
  ),
  replacedBy: v.pipe(
    v.exactOptional(v.string()),
    v.description('The newer entry of that project that took its place'),
  ),
})

export const foundAcrossFields = {
  score: v.pipe(
    v.number(),
    v.description(
      '0 to 1: how much of what is asked it has, by how rare the words are in all projects, and how near its meaning is',
    ),
  ),
  text: v.pipe(v.string(), v.description('About 120 characters around the best match')),
  matches: v.pipe(
    v.array(v.object({ start: v.number(), end: v.number() })),
    v.readonly(),
    v.description('Offsets into the text'),
  ),
  content: v.string(),
  kind: v.string(),
  tags: v.pipe(v.array(v.string()), v.readonly()),
  from: v.pipe(
    v.array(foundInSchema),
    v.readonly(),
    v.description('Every place where it stands: the same text in several projects is one result'),
  ),
}

export const lookedAtFields = {
  projects: v.pipe(
    v.array(v.object({ ...projectNameSchema.entries, found: v.number() })),
    v.readonly(),
    v.description('Those that have something'),
  ),
  searched: v.pipe(v.number(), v.description('How many projects were searched')),
  closed: v.pipe(
    v.number(),
    v.description('How many of your projects are not trusted, or not to be read from others'),
  ),
  degraded: degradedSchema,
}

/** Who asks, and whose memories they may look into. */
export interface AcrossAsker {
  readonly across: AcrossProjects
  readonly clock: Clock
  readonly aliases: () => Promise<Readonly<Record<string, readonly string[]>>>
  /** Hits, where nobody says how many. */
  readonly hits: () => Promise<number>
  /** An agent that asks other projects reads there what it would read here: its own vault and what is shared. */
  readonly agent: string | undefined
}

export function askerIn({ across, clock, aliases, config, actor }: Memory & AcrossPorts): AcrossAsker {
  return { across, clock, aliases, hits: async () => (await config())['search.limit'], agent: actor.agent }
}

/** Of a hub, in no project of it. */
export function askerOnHub(across: AcrossProjects, clock: Clock): AcrossAsker {
  return {
    across,
    clock,
    aliases: async () => ({}),
    hits: async () => DEFAULT_CONFIG['search.limit'],
    agent: undefined,
  }
}

interface AcrossLimits {
  readonly withinMs?: number | undefined
  readonly projects?: readonly string[] | undefined
}

export function askingOf(
  { clock }: AcrossAsker,
  { withinMs, projects }: AcrossLimits,
  { turn, onProgress }: OperationContext,
): VisitOptions {
  return { clock, withinMs: withinMs ?? DEFAULT_WITHIN_MS, turn, onProgress, only: projects }
}

export function readBy<Fields extends { readonly reader?: string | undefined }>(
  { agent }: AcrossAsker,
  fields: Fields,
): Fields {
  return { ...fields, reader: fields.reader ?? agent }
}
