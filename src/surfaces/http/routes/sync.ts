import * as v from 'valibot'
import { givePage, giveUpPush, receivePush } from '../../../addons/link/serve-sync.ts'
import { MAX_FORMER } from '../../../kernel/model/journal.ts'
import { count, defineOperation, entrySchema, text } from '../../../verbs/operation.ts'

/** The maximum number of entries in one answer. */
const MAX_GIVEN = 2_000
const MAX_PUSHED = 2_000
const MAX_ASKED = 1_000

const print = v.pipe(v.nullable(v.string()), v.description('Of what it says; null: there is none'))
const documentName = v.picklist(['curation.json', '_project.md'])
const body = v.pipe(v.nullable(v.string()), v.description('null: there is none'))
const revision = v.pipe(v.number(), v.description('Of the project: every write has its own'))

const helloSchema = v.object({
  protocol: v.number(),
  identity: v.pipe(v.string(), v.description('Tells this project from every other, on every hub')),
  revision,
  nowMs: v.pipe(v.number(), v.description('By the clock of the hub')),
})

const pageSchema = v.object({
  identity: v.string(),
  revision,
  cursor: v.pipe(v.string(), v.description('Where the next page begins')),
  isLast: v.boolean(),
  entries: v.pipe(
    v.array(
      v.object({
        id: v.string(),
        entry: v.pipe(v.nullable(entrySchema), v.description('null: it was removed')),
        revision,
      }),
    ),
    v.readonly(),
  ),
  documents: v.pipe(
    v.array(v.object({ name: documentName, body })),
    v.readonly(),
    v.description('With the last page: those that are other than what was asked with'),
  ),
})

const answerSchema = v.object({
  before: v.pipe(v.number(), v.description('The revision that this was done on')),
  revision,
  entries: v.pipe(
    v.array(
      v.variant('outcome', [
        v.object({ id: v.string(), outcome: v.picklist(['accepted', 'already']) }),
        v.object({
          id: v.string(),
          outcome: v.literal('conflict'),
          entry: v.pipe(v.nullable(entrySchema), v.description('The current entry')),
        }),
        v.object({
          id: v.string(),
          outcome: v.literal('refused'),
          reason: v.picklist(['secret', 'not_shared', 'unsound', 'too_large']),
        }),
      ]),
    ),
    v.readonly(),
  ),
  documents: v.pipe(
    v.array(
      v.variant('outcome', [
        v.object({ name: documentName, outcome: v.picklist(['accepted', 'already']) }),
        v.object({ name: documentName, outcome: v.literal('conflict'), body }),
        v.object({
          name: documentName,
          outcome: v.literal('refused'),
          reason: v.picklist(['secret', 'unreadable']),
        }),
      ]),
    ),
    v.readonly(),
  ),
})

export const syncHelloOperation = defineOperation({
  name: 'sync-hello',
  agent: 'reads',
  route: { at: 'POST /api/sync/hello', access: 'read' },
  runs: 'hub',
  summary: 'Which project of which hub this is, for a repository that is linked to it',
  positionals: [],
  input: v.object({}),
  output: helloSchema,
  examples: [],
  run: memory => memory.hubFeed.hello(),
})

export const syncPullOperation = defineOperation({
  name: 'sync-pull',
  agent: 'reads',
  route: { at: 'POST /api/sync/pull', access: 'read' },
  runs: 'hub',
  summary: 'What became of the entries of a project since a place in its history, in pages',
  positionals: [],
  input: v.object({
    cursor: v.optional(text('Where the last page ended; absent: from the beginning')),
    limit: v.optional(count(`How many entries (default ${MAX_GIVEN})`, MAX_GIVEN)),
    documents: v.optional(v.object({ 'curation.json': print, '_project.md': print })),
  }),
  output: pageSchema,
  examples: [],
  run: (memory, { cursor = null, limit = MAX_GIVEN, documents = NOTHING }) =>
    givePage(memory, { cursor, limit, documents }),
})

const NOTHING = { 'curation.json': null, '_project.md': null }

export const syncVersionsOperation = defineOperation({
  name: 'sync-versions',
  agent: 'reads',
  route: { at: 'POST /api/sync/versions', access: 'read' },
  runs: 'hub',
  summary: 'Whether the project once had these versions of entries',
  positionals: [],
  input: v.object({
    questions: v.pipe(
      v.array(v.object({ id: v.string(), print, after: v.pipe(v.number(), v.integer()) })),
      v.maxLength(MAX_ASKED, `at most ${MAX_ASKED}`),
      v.description(
        'An entry, the print of a version (null: its removal), and the revision after which it counts',
      ),
    ),
  }),
  output: v.object({
    known: v.pipe(v.array(v.boolean()), v.description('In the order of the questions')),
  }),
  examples: [],
  async run(memory, { questions }) {
    await memory.hubFeed.hello()
    return { known: questions.length === 0 ? [] : [...(await memory.hubFeed.versions(questions))] }
  },
})

export const syncPushOperation = defineOperation({
  name: 'sync-push',
  agent: 'reports',
  route: { at: 'POST /api/sync/push', access: 'write' },
  runs: 'hub',
  summary:
    'Take in what was changed in a repository, entry by entry, each only where the project has what was expected',
  description: 'The same push again is answered as it was, and done once.',
  positionals: [],
  input: v.object({
    id: v.pipe(
      v.string(),
      v.minLength(8),
      v.maxLength(100),
      v.description('Of this push, never used before'),
    ),
    identity: text('The project that it is meant for'),
    batch: v.pipe(
      v.string(),
      v.regex(/^\d{1,15}-[0-9a-z-]{1,80}$/, 'milliseconds and a word'),
      v.description(
        'A batch that `undo` reverts together; it begins with the milliseconds that `sync-hello` returned',
      ),
    ),
    entries: v.pipe(
      v.array(
        v.object({
          id: v.string(),
          expected: print,
          entry: v.nullable(entrySchema),
          formerly: v.exactOptional(
            v.pipe(
              v.array(v.pipe(v.string(), v.maxLength(100))),
              v.maxLength(MAX_FORMER, `at most ${MAX_FORMER}`),
              v.description('Hashes of versions in between that were never sent'),
            ),
          ),
        }),
      ),
      v.maxLength(MAX_PUSHED, `at most ${MAX_PUSHED}`),
      v.description('Entries as they are to be (null: removed), and what the project is expected to have'),
    ),
    documents: v.pipe(
      v.array(v.object({ name: documentName, expected: print, body })),
      v.maxLength(2, 'each once'),
    ),
  }),
  output: answerSchema,
  examples: [],
  run: (memory, push) => receivePush(memory, push),
})

export const syncGiveUpOperation = defineOperation({
  name: 'sync-give-up',
  agent: 'reports',
  route: { at: 'POST /api/sync/give-up', access: 'write' },
  runs: 'hub',
  summary: 'What a push was answered; one that has not arrived is refused when it does',
  positionals: [],
  input: v.object({ push: text('The id of the push') }),
  output: v.object({ answer: v.pipe(v.nullable(answerSchema), v.description('null: it has not arrived')) }),
  examples: [],
  async run(memory, { push }) {
    await memory.hubFeed.hello()
    return { answer: (await giveUpPush(memory, push)) ?? null }
  },
})
