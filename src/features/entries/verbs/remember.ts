import * as v from 'valibot'
import { kindOfText } from '../../../kernel/text/kind-of-text.ts'
import { AGENTS_OWN, onlyAPerson } from '../../../verbs/agent-rules.ts'
import {
  AFTER_STORING,
  category,
  defineOperation,
  degradedSchema,
  entryFiles,
  entrySchema,
  entryTags,
  flag,
  recordSchema,
  share,
  status,
  text,
} from '../../../verbs/operation.ts'
import { remember } from '../write-entries.ts'

export const rememberOperation = defineOperation({
  name: 'remember',
  group: 'Remember',
  agent: 'candidate',
  worksForUser: true,
  after: [...AFTER_STORING, 'recall'],
  route: { at: 'POST /api/entries', access: 'write' },
  summary: 'Remember a decision, a lesson, a rule',
  description:
    'The text is checked, freed of secrets, and written to the vault as Markdown. The same text again strengthens the entry that is there instead of adding another.',
  positionals: ['content'],
  input: v.object({
    content: text('What to remember, in Markdown; - reads it from standard input'),
    agent: v.optional(text('The vault it goes to (default: vault.defaultAgent, which is shared)')),
    private: v.optional(flag('Store it in the private vault, which git ignores')),
    category: v.optional(category('The vault file: decisions, lessons, tasks, projects or handoffs')),
    kind: v.optional(
      text(
        'What it is: decision, warning, error, preference, … or a word of your own (default: by its words, else lesson)',
      ),
    ),
    tags: v.optional(entryTags('Tags, besides the #words in the text')),
    files: v.optional(entryFiles('Files it is about')),
    importance: v.optional(share('0 to 1')),
    session: v.optional(text('The session it comes from')),
    status: v.optional(status('candidate, confirmed (default) or pinned')),
    date: v.optional(text('When it was, if not now: 2026-03-16 or 2026-03-16T16:51')),
  }),
  output: v.object({
    entry: entrySchema,
    duplicate: v.pipe(
      v.boolean(),
      v.description('True when the text was known: `entry` is the one that was there'),
    ),
    redacted: v.pipe(
      v.array(
        v.object({
          type: v.string(),
          field: v.picklist(['content', 'tags', 'files', 'session']),
          line: v.number(),
          column: v.number(),
          length: v.number(),
        }),
      ),
      v.readonly(),
      v.description('What was redacted and where; never its value'),
    ),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    {
      command: 'cairn remember "We use SSE, not WebSockets: the proxy drops idle sockets. #sse"',
      does: 'a decision, tagged sse',
    },
    {
      command:
        'cairn remember --kind warning --files src/auth.ts "Never edit the auth middleware; extend it by hooks."',
      does: 'a warning about a file',
    },
    { command: 'git log -1 --format=%B | cairn remember --kind decision -', does: 'from standard input' },
    {
      command: 'cairn remember --user "Answer in German; code and comments in English."',
      does: 'a preference of yours, injected in every project',
    },
  ],
  async run(memory, input, { isAgent }) {
    const { private: isPrivate, ...fields } = input
    if (isAgent === true && (fields.status ?? 'candidate') !== 'candidate')
      throw onlyAPerson(`remember --status ${fields.status}`)
    // A preference of the user applies to every agent.
    const own = memory.isUserMemory ? undefined : memory.actor.agent
    const agent = isPrivate === true ? 'private' : (fields.agent ?? own)
    const session = fields.session ?? memory.actor.session
    const kind = fields.kind ?? (fields.category === undefined ? kindOfText(fields.content) : undefined)
    const [result] = await remember(memory, [
      {
        ...fields,
        ...(agent !== undefined && { agent }),
        ...(session !== undefined && { session }),
        ...(kind !== undefined && { kind }),
        ...(isAgent === true && AGENTS_OWN),
      },
    ])
    if (result === undefined) throw new Error('one entry in, one answer out')
    return { ...result, degraded: memory.store.takeDegraded() }
  },
})
