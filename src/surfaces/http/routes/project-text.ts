import * as v from 'valibot'
import { readProjectText, saveProjectText } from '../../../features/overview/project-text.ts'
import { defineOperation, degradedSchema, text } from '../../../verbs/operation.ts'

const hashSchema = v.pipe(
  v.string(),
  v.description('The hash of the text: send it as `expect` with a change'),
)
const wordsSchema = v.pipe(v.number(), v.description('Above 500 every brief cuts the text'))

export const projectTextOperation = defineOperation({
  name: 'project text',
  agent: 'reads',
  route: { at: 'GET /api/project-text', access: 'read' },
  summary: 'The text of _project.md, which every agent gets',
  positionals: [],
  input: v.object({}),
  output: v.object({
    text: v.pipe(v.string(), v.description('Empty if there is no file')),
    words: wordsSchema,
    hash: hashSchema,
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory) {
    await memory.store.refresh()
    return { ...(await readProjectText(memory)), degraded: memory.store.takeDegraded() }
  },
})

export const projectTextSaveOperation = defineOperation({
  name: 'project text save',
  agent: 'person',
  route: { at: 'PUT /api/project-text', access: 'write' },
  summary: 'Write _project.md',
  description: 'Freed of secrets first. The change is journaled, and `undo` takes it back.',
  positionals: [],
  input: v.object({
    text: text('The whole text'),
    expect: v.optional(
      text('The hash of the text you last read; refused with text_changed if the text has changed since'),
    ),
  }),
  output: v.object({
    words: wordsSchema,
    hash: hashSchema,
    record: v.pipe(
      v.nullable(v.string()),
      v.description('What `undo` takes back; null: it says that already'),
    ),
    redacted: v.pipe(
      v.array(v.object({ type: v.string(), line: v.number(), column: v.number(), length: v.number() })),
      v.readonly(),
      v.description('What was removed and where it stood; never its value'),
    ),
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, input) {
    const saved = await saveProjectText(memory, input)
    return { ...saved, degraded: memory.store.takeDegraded() }
  },
})
