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
  limit: v.optional(count('Maximum number of results (default: search.limit, which is 10)', 100)),
  projects: v.optional(list('Only these projects, by name or id')),
  reader: filterFields.reader,
  withinMs: v.optional(
    count(
      `Timeout in milliseconds (default ${DEFAULT_WITHIN_MS}); projects not reached are reported`,
      MAX_MS,
    ),
  ),
}

export const projectNameSchema = v.object({
  id: v.string(),
  name: v.string(),
  root: v.pipe(v.nullable(v.string()), v.description('Its folder; null on a hub')),
  isHere: v.pipe(v.boolean(), v.description('Whether it is the current project')),
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
  document: v.exactOptional(v.pipe(documentSchema, v.description('Set for a document of a workspace'))),
  replacedBy: v.pipe(
    v.exactOptional(v.string()),
    v.description('The newer entry of that project that replaced it'),
  ),
})

export const foundAcrossFields = {
  score: v.pipe(
    v.number(),
    v.description(
      '0 to 1: how much of the query it matches, by the rarity of the words in all projects and by meaning',
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
    v.description('Every place of the text: equal texts in several projects are one result'),
  ),
}

export const lookedAtFields = {
  projects: v.pipe(
    v.array(v.object({ ...projectNameSchema.entries, found: v.number() })),
    v.readonly(),
    v.description('Projects with results'),
  ),
  searched: v.pipe(v.number(), v.description('Number of searched projects')),
  closed: v.pipe(
    v.number(),
    v.description('Number of your projects that are not trusted, or not readable from others'),
  ),
  degraded: degradedSchema,
}

/** The caller and the memories that they may read. */
export interface AcrossAsker {
  readonly across: AcrossProjects
  readonly clock: Clock
  readonly aliases: () => Promise<Readonly<Record<string, readonly string[]>>>
  /** Default number of hits. */
  readonly hits: () => Promise<number>
  /** In other projects an agent reads what it reads here: its own vault and the shared one. */
  readonly agent: string | undefined
}

export function askerIn({ across, clock, aliases, config, actor }: Memory & AcrossPorts): AcrossAsker {
  return { across, clock, aliases, hits: async () => (await config())['search.limit'], agent: actor.agent }
}

/** For a hub, outside of a project. */
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
