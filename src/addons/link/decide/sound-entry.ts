import * as v from 'valibot'
import { parseAgentId } from '../../../kernel/model/agent-id.ts'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import { type Entry, ORIGINS, STATUSES } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'

const MAX_ID_LENGTH = 200
const MAX_CHARACTERS = 400_000
const MAX_NAMED = 1_000

/** An unpaired surrogate is not a character: files and databases would each change it differently. */
const text = v.pipe(
  v.string(),
  v.check(given => !/\p{Cs}/u.test(given)),
)
const name = v.pipe(text, v.maxLength(1_000))
const names = v.pipe(v.array(name), v.maxLength(MAX_NAMED))
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))

const soundSchema = v.strictObject({
  id: v.pipe(
    text,
    v.maxLength(MAX_ID_LENGTH),
    v.check(id => id.trim() !== '' && !/[\p{Cc}]/u.test(id)),
  ),
  agent: v.pipe(v.string(), v.check(isAgentId)),
  category: v.picklist(CATEGORIES),
  kind: name,
  status: v.picklist(STATUSES),
  origin: v.picklist(ORIGINS),
  date: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)),
  updated: v.exactOptional(name),
  content: v.pipe(
    text,
    v.maxLength(MAX_CHARACTERS),
    v.check(content => content.trim() !== ''),
  ),
  tags: names,
  files: names,
  importance: share,
  confidence: v.exactOptional(share),
  session: v.exactOptional(name),
  anchors: v.exactOptional(
    v.pipe(v.array(v.strictObject({ file: name, print: name })), v.maxLength(MAX_NAMED)),
  ),
  commit: v.exactOptional(name),
  extra: v.exactOptional(v.record(name, v.pipe(text, v.maxLength(MAX_CHARACTERS)))),
})

/** Whether it is a valid entry: data from the wire is untrusted, and its agent becomes the name of a folder on this machine. */
export function isSound(entry: unknown): entry is Entry {
  return v.is(soundSchema, entry)
}

function isAgentId(agent: string): boolean {
  try {
    return parseAgentId(agent) === agent
  } catch (error) {
    if (error instanceof CairnError) return false
    throw error
  }
}
