import * as v from 'valibot'
import type { Entry } from '../../../kernel/model/entry.ts'
import { PUSH_REFUSALS } from './plan-push.ts'
import { type FeedPage, type Hello, type PushAnswer, readCursor, SHARED_DOCUMENTS } from './protocol.ts'

/** Answers of a hub are untrusted: each is validated, and unknown fields are dropped. Entries are validated one by one later. */

const MAX_IN_ANSWER = 10_000
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(1_000))
const revision = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_999_999_999_999))
const entry = v.nullable(v.custom<Entry>(value => typeof value === 'object' && value !== null))
const name = v.picklist(SHARED_DOCUMENTS)
const body = v.nullable(v.string())

const helloSchema: v.GenericSchema<unknown, Hello> = v.object({
  protocol: v.number(),
  identity: id,
  revision,
  nowMs: revision,
})

const pageSchema: v.GenericSchema<unknown, FeedPage> = v.object({
  identity: id,
  revision,
  cursor: v.pipe(
    id,
    v.check(cursor => readCursor(cursor) !== undefined),
  ),
  isLast: v.boolean(),
  entries: v.pipe(v.array(v.object({ id, entry, revision })), v.maxLength(MAX_IN_ANSWER)),
  documents: v.pipe(v.array(v.object({ name, body })), v.maxLength(SHARED_DOCUMENTS.length)),
})

const pushAnswerSchema: v.GenericSchema<unknown, PushAnswer> = v.object({
  before: revision,
  revision,
  entries: v.pipe(
    v.array(
      v.variant('outcome', [
        v.object({ id, outcome: v.picklist(['accepted', 'already']) }),
        v.object({ id, outcome: v.literal('conflict'), entry }),
        v.object({
          id,
          outcome: v.literal('refused'),
          reason: v.picklist(PUSH_REFUSALS),
        }),
      ]),
    ),
    v.maxLength(MAX_IN_ANSWER),
  ),
  documents: v.pipe(
    v.array(
      v.variant('outcome', [
        v.object({ name, outcome: v.picklist(['accepted', 'already']) }),
        v.object({ name, outcome: v.literal('conflict'), body }),
        v.object({ name, outcome: v.literal('refused'), reason: v.picklist(['secret', 'unreadable']) }),
      ]),
    ),
    v.maxLength(SHARED_DOCUMENTS.length),
  ),
})

/** The schema of each route's answer. */
export const ANSWERS = {
  hello: helloSchema,
  pull: pageSchema,
  versions: v.object({ known: v.pipe(v.array(v.boolean()), v.maxLength(MAX_IN_ANSWER)) }),
  push: pushAnswerSchema,
  'give-up': v.object({ answer: v.nullable(pushAnswerSchema) }),
} as const

export type SyncRoute = keyof typeof ANSWERS

/** undefined: it does not match the schema. */
export function readAnswer<Route extends SyncRoute>(
  route: Route,
  answer: unknown,
): v.InferOutput<(typeof ANSWERS)[Route]> | undefined {
  const read = v.safeParse<(typeof ANSWERS)[Route]>(ANSWERS[route], answer)
  return read.success ? read.output : undefined
}
