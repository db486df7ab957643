import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { readBoundedInput } from '../../../kernel/system/standard-input.ts'
import {
  defineOperation,
  degradedSchema,
  entrySchema,
  flag,
  list,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import type { FreshnessPorts } from '../../freshness/decide/ports.ts'
import type { SearchPorts } from '../../search/decide/ports.ts'
import type { SessionPorts } from '../../sessions/decide/ports.ts'
import type { AskPorts } from '../decide/ports.ts'
import { MAX_SAVED_AT_ONCE, saveEntries } from '../save-entries.ts'

const STANDARD_INPUT = { maxBytes: 1_048_576, withinMs: 10_000 }

const agentEntrySchema = v.object({
  statement: text('One fact in one sentence that names its subject'),
  why: v.optional(text('The reason, or the evidence')),
  kind: v.optional(text('decision, preference, lesson, warning, error, … (default: lesson)')),
  files: v.optional(list('Files it is about')),
  supersedes: v.optional(text('The id of the entry that it replaces')),
})

const saveFields = {
  entries: v.optional(
    v.pipe(
      v.array(agentEntrySchema),
      v.description(`What a later session needs, at most ${MAX_SAVED_AT_ONCE}`),
    ),
  ),
  handoff: v.optional(
    text('Asked; verified; claimed but not verified; left. Replaces the handoff of the session'),
  ),
}

const outputSchema = v.object({
  stored: v.array(entrySchema),
  refused: v.pipe(
    v.array(v.object({ statement: v.string(), reason: v.string() })),
    v.readonly(),
    v.description('What was not stored, and why'),
  ),
  similar: v.pipe(
    v.array(entrySchema),
    v.description('Up to 3 older entries that resemble the stored ones: supersede one of them instead?'),
  ),
  handoff: v.nullable(entrySchema),
  record: recordSchema,
  degraded: degradedSchema,
})

/** Saves an agent's entries over MCP (the tool `remember`), HTTP and the library; the terminal has `save`. */
export const saveEntriesOperation = defineOperation({
  name: 'save entries',
  agent: 'candidate',
  route: { name: 'save', at: 'POST /api/saves', access: 'write' },
  tool: {
    name: 'remember',
    title: 'Remember',
    description:
      "Save what would make a later session act differently: rules and corrections in the user's words, outside facts, proven causes, rejected alternatives. Not what the code or diff shows, not guesses, not progress. Returns ids, refusals, and similar entries: supersede one instead of adding.",
    fields: {
      entries:
        'At most 5. statement: one fact, naming its subject; why: reason or evidence; kind: preference, decision, lesson, warning, error; files: it is about; supersedes: id it replaces',
      handoff: 'Asked / verified / claimed, unverified / left',
      private: 'Keep out of git',
    },
    unlisted: ['content', 'kind', 'tags', 'files'],
    effect: 'writes',
    answer: async () => (await import('../../entries/present-to-agents.ts')).savedEntries,
  },
  summary: 'Save what the agent of a session learned',
  description:
    'Each entry is checked (length, one statement, a named subject, no secret, no instruction to an agent, not a duplicate) and stored as a candidate of the agent. A refused entry has a reason; the others are stored.',
  positionals: [],
  input: v.object({
    ...saveFields,
    content: v.optional(text('One statement, instead of `entries`')),
    kind: v.optional(text('With `content`: its kind')),
    tags: v.optional(list('With `content`: tags, in addition to the #words in the text')),
    files: v.optional(list('With `content`: files it is about')),
    private: v.optional(flag('Store it in the private vault, which git ignores')),
    session: v.optional(text('The session it comes from')),
    agent: v.optional(text('The agent that saves')),
  }),
  output: outputSchema,
  examples: [],
  async run(memory, { entries = [], handoff, content, kind, tags, files, session, agent, ...rest }) {
    const single = content === undefined ? [] : [{ statement: content, kind, tags, files }]
    if (entries.length + single.length === 0 && !handoff?.trim()) throw nothingToSave()
    return saved(memory, {
      entries: [...single, ...entries],
      handoff,
      session,
      agent: rest.private === true ? 'private' : agent,
    })
  },
})

const documentSchema = v.strictObject(saveFields)

export const saveOperation = defineOperation({
  name: 'save',
  group: 'Remember',
  agent: 'candidate',
  summary: 'Save what an agent learned in a session, as its candidates',
  description:
    'For agents without the MCP server. The file says {"entries": [{"statement", "why", "kind", "files", "supersedes"}], "handoff": …}. Each entry is checked; a refused entry has a reason, and the others are stored.',
  positionals: ['file'],
  input: v.object({
    file: text('A JSON file of the project; - reads standard input'),
    session: v.optional(text('The session it comes from')),
    agent: v.optional(text('The agent that saves (default: CAIRN_AGENT)')),
  }),
  output: outputSchema,
  examples: [
    {
      command:
        'echo \'{"entries": [{"statement": "Staging runs PostgreSQL 15.", "why": "psql --version said so."}]}\' | cairn save -',
      does: 'one entry, from standard input',
    },
  ],
  async run(memory, { file, session, agent }) {
    const given =
      file === '-'
        ? (await readBoundedInput(STANDARD_INPUT)).toString('utf8')
        : await memory.projectTexts.read(file)
    if (given === undefined) throw noFile(file)
    return saved(memory, { ...parsed(given), session, agent })
  },
})

async function saved(
  memory: Memory & SearchPorts & SessionPorts & FreshnessPorts & AskPorts,
  save: Parameters<typeof saveEntries>[1],
) {
  const { stored, similar, ...rest } = await saveEntries(memory, save)
  return { ...rest, stored: [...stored], similar: [...similar], degraded: memory.store.takeDegraded() }
}

function parsed(given: string): v.InferOutput<typeof documentSchema> {
  const result = v.safeParse(documentSchema, jsonOf(given))
  if (result.success) return result.output
  const [issue] = result.issues
  throw invalid(`\`${issue.path?.map(({ key }) => String(key)).join('.') ?? 'it'}\`: ${issue.message}`)
}

function jsonOf(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(error.message)
    throw error
  }
}

const EXAMPLE =
  '{"entries": [{"statement": "Staging runs PostgreSQL 15.", "why": "psql --version said so."}]}'

function invalid(why: string): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `The input cannot be read: ${why}.`,
    hint: `For example: ${EXAMPLE}`,
  })
}

function nothingToSave(): CairnError {
  return new CairnError({
    code: 'content_empty',
    message: 'There is nothing to save: no entry and no handoff was given.',
    hint: `For example: ${EXAMPLE}`,
  })
}

function noFile(file: string): CairnError {
  return new CairnError({
    code: 'file_not_found',
    message: `There is no file ${file.slice(0, 120)} in the project.`,
    hint: 'Name a file relative to the project, or give - and write it to standard input.',
  })
}
