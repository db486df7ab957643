import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { TRANSCRIPT_HOSTS } from '../../../kernel/model/transcript.ts'
import {
  count,
  defineOperation,
  degradedSchema,
  flag,
  problemsSchema,
  text,
} from '../../../verbs/operation.ts'
import { momentOfDate } from '../../entries/verbs/entry-filter.ts'
import { showCold } from '../show-cold.ts'

const hostSchema = v.picklist(TRANSCRIPT_HOSTS, `one of ${TRANSCRIPT_HOSTS.join(', ')}`)

export const coldOperation = defineOperation({
  name: 'cold',
  group: 'Find',
  agent: 'reads',
  runs: 'checkout',
  summary: 'Show which transcripts are cold memory, and which copies are stored',
  description:
    'Transcripts stay where agents store them, and are searched only by `cairn search --cold`. Agents delete old ones: with `cairn config set cold.keep true`, `cairn import sync` saves compressed copies of the messages, without secrets, in your own folder.',
  positionals: [],
  input: v.object({}),
  output: v.object({
    hosts: v.pipe(
      v.array(
        v.object({
          host: hostSchema,
          transcripts: v.number(),
          bytes: v.pipe(v.number(), v.description('Of a host with a database: how many messages')),
          oldest: v.exactOptional(v.string()),
          newest: v.exactOptional(v.string()),
        }),
      ),
      v.readonly(),
    ),
    kept: v.object({
      isOn: v.pipe(v.boolean(), v.description('The setting cold.keep')),
      folder: v.string(),
      copies: v.number(),
      gone: v.pipe(v.number(), v.description('How many of these the host has deleted')),
      bytes: v.number(),
    }),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn cold', does: 'how much there is to search' }],
  async run(memory) {
    const listed = await memory.transcripts.list()
    const kept = await memory.coldCopies.list()
    const there = new Set(listed.transcripts.map(({ host, session }) => `${host} ${session}`))
    const hosts = TRANSCRIPT_HOSTS.flatMap(host => {
      const own = listed.transcripts.filter(transcript => transcript.host === host)
      if (own.length === 0) return []
      const moments = own.map(({ mtimeMs }) => mtimeMs).sort((a, b) => a - b)
      return [
        {
          host,
          transcripts: own.length,
          bytes: own.reduce((sum, { size }) => sum + size, 0),
          oldest: new Date(moments[0] ?? 0).toISOString(),
          newest: new Date(moments.at(-1) ?? 0).toISOString(),
        },
      ]
    })
    return {
      hosts,
      kept: {
        isOn: (await memory.config())['cold.keep'],
        folder: kept.folder,
        copies: kept.copies.length,
        gone: kept.copies.filter(({ transcript: { host, session } }) => !there.has(`${host} ${session}`))
          .length,
        bytes: kept.copies.reduce((sum, { bytes }) => sum + bytes, 0),
      },
      problems: [...listed.problems, ...kept.problems],
      degraded: memory.store.takeDegraded(),
    }
  },
})

const AROUND = 3

export const coldShowOperation = defineOperation({
  name: 'cold show',
  group: 'Find',
  agent: 'reads',
  runs: 'checkout',
  summary: 'Show the messages around a passage of a transcript',
  positionals: ['ref'],
  input: v.object({
    ref: text('As `cairn search --cold` gives it; without its last number, how the session began'),
    around: v.optional(count('How many messages before and after (default 3)', 200)),
  }),
  output: v.object({
    host: hostSchema,
    session: v.string(),
    file: v.string(),
    cwd: v.exactOptional(v.pipe(v.string(), v.description('Where the session was had'))),
    isKept: v.pipe(v.boolean(), v.description('From the stored copy')),
    messages: v.pipe(
      v.array(
        v.object({
          line: v.number(),
          role: v.string(),
          at: v.exactOptional(v.string()),
          text: v.pipe(v.string(), v.description('Without secrets and private parts')),
          isMeant: v.pipe(v.boolean(), v.description('It is the requested message')),
        }),
      ),
      v.readonly(),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    {
      command: 'cairn cold show cold:codex/01a1de30-6ecf:29',
      does: 'the passage and the messages around it',
    },
    { command: 'cairn cold show claude-code/c3012d4e', does: 'how a session began' },
  ],
  async run(memory, { ref, around = AROUND }) {
    const { transcript, messages } = await showCold(memory, ref, around)
    const { host, session, file, cwd, isKept } = transcript
    return {
      host,
      session,
      file,
      ...(cwd !== undefined && { cwd }),
      isKept: isKept === true,
      messages,
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const coldRemoveOperation = defineOperation({
  name: 'cold remove',
  group: 'Find',
  agent: 'free',
  runs: 'checkout',
  summary: 'Delete copies of transcripts that Cairn stored; the transcripts of agents stay',
  description:
    'There is no undo: if the host has deleted the transcript, its copy is the last one. Use --all, --host or --before to select copies.',
  positionals: [],
  input: v.object({
    all: v.optional(flag('Every copy of this project')),
    host: v.optional(v.pipe(v.array(hostSchema), v.description('Only of these'))),
    before: v.optional(text('Only sessions that went on last before: 2026-03, 2026-03-16')),
    dryRun: v.optional(flag('Say what would be deleted, and delete nothing')),
  }),
  output: v.object({
    removed: v.number(),
    bytes: v.number(),
    dryRun: v.boolean(),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn cold remove --all --dry-run', does: 'how much that would be' },
    { command: 'cairn cold remove --before 2025', does: 'copies of older sessions' },
  ],
  async run(memory, { all, host = [], before, dryRun = false }) {
    if (all !== true && host.length === 0 && before === undefined)
      throw new CairnError({
        code: 'invalid_input',
        message: 'No copies were selected; nothing was deleted.',
        hint: '--all deletes every copy of this project; --host and --before narrow it; --dry-run only counts.',
      })
    const beforeMs = before === undefined ? Number.POSITIVE_INFINITY : momentOfDate(before)
    const { copies, problems } = await memory.coldCopies.list()
    const chosen = copies.filter(
      ({ transcript }) =>
        (host.length === 0 || host.includes(transcript.host)) && transcript.mtimeMs < beforeMs,
    )
    if (!dryRun) for (const { transcript } of chosen) await memory.coldCopies.remove(transcript)
    return {
      removed: chosen.length,
      bytes: chosen.reduce((sum, { bytes }) => sum + bytes, 0),
      dryRun,
      problems,
      degraded: memory.store.takeDegraded(),
    }
  },
})
