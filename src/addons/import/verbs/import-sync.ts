import * as v from 'valibot'
import { momentOfDate } from '../../../features/entries/verbs/entry-filter.ts'
import { TRANSCRIPT_HOSTS } from '../../../kernel/model/transcript.ts'
import {
  count,
  defineOperation,
  degradedSchema,
  flag,
  problemsSchema,
  text,
} from '../../../verbs/operation.ts'
import { syncEach } from '../sync-sources.ts'
import { hostSources, MAX_DISTILLED_DAYS, MAX_DISTILLED_SESSIONS } from '../sync-transcripts.ts'
import { syncedSchema } from './source.ts'

export const importSyncOperation = defineOperation({
  name: 'import sync',
  group: 'Import, export and sync',
  agent: 'reports',
  route: { at: 'POST /api/import/sync', access: 'write' },
  runs: 'checkout',
  summary: 'Take in what agents on this machine keep of their sessions in this project',
  description: [
    'Finds the transcripts of Claude Code, Codex, Gemini CLI, OpenCode, GitHub Copilot CLI, Cursor and Cline, and those in agent-transcripts/. Only sessions of this project are imported.',
    `Sessions of the last ${MAX_DISTILLED_DAYS} days, at most the newest ${MAX_DISTILLED_SESSIONS} of a host, are distilled like any imported conversation; older ones stay where they are, and \`cairn search --cold\` finds what was said in them. --since and --most say otherwise.`,
    'Only new transcripts are read. Sessions that hooks captured are not imported again. Running it allows Cairn to read them; this is stored in sources.json, and `cairn source remove` revokes it.',
  ].join(' '),
  positionals: [],
  input: v.object({
    host: v.optional(
      v.pipe(
        v.array(v.picklist(TRANSCRIPT_HOSTS, `one of ${TRANSCRIPT_HOSTS.join(', ')}`)),
        v.description(`Only these: ${TRANSCRIPT_HOSTS.join(', ')}`),
      ),
    ),
    since: v.optional(
      text('Distil every session that went on since: 2026-03, 2026-03-16 or 2026-03-16T10:00'),
    ),
    most: v.optional(count('Distil the newest so many of a host, however old', 100_000)),
    dryRun: v.optional(flag('Read and check everything without writing')),
  }),
  output: v.object({
    synced: v.pipe(v.array(syncedSchema), v.readonly()),
    dryRun: v.pipe(
      v.boolean(),
      v.description('True: nothing was written; `added` counts what would be added'),
    ),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn import sync', does: 'import what is new from every host' },
    { command: 'cairn import sync --dry-run', does: 'what it would bring' },
    { command: 'cairn import sync --host codex --since 2026-01', does: 'one host, from January on' },
  ],
  exitCode: ({ synced }) => (synced.some(({ status }) => status === 'failed') ? 1 : 0),
  async run(memory, { host, since, most, dryRun = false }, { onProgress }) {
    const wanted = host === undefined || host.length === 0 ? TRANSCRIPT_HOSTS : host
    const sinceMs = since === undefined ? undefined : momentOfDate(since)
    const sources = await hostSources(memory, wanted, { dryRun })
    const { problems } = await memory.sourceRegistry.list()
    const synced = await syncEach(memory, sources, { dryRun, onProgress, sinceMs, most }, true)
    return {
      synced,
      dryRun,
      problems,
      degraded: [...memory.store.takeDegraded(), ...memory.semantics.takeDegraded()],
    }
  },
})
