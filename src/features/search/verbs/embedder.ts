import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Degradation } from '../../../kernel/model/search.ts'
import { count, defineOperation, degradedSchema, text } from '../../../verbs/operation.ts'
import type { MeaningPorts } from '../decide/ports.ts'
import { embedWaiting } from '../meaning.ts'

export const embedOperation = defineOperation({
  name: 'embed',
  group: 'Import, export and sync',
  agent: 'free',
  worksForUser: true,
  summary: 'Make the vectors that search by meaning needs',
  description:
    'Every entry, and every document of a workspace, gets a vector in addition to its words. Cairn makes a few after each new entry; after a large import or a lost index this verb makes all of them. Then it compares new entries with their neighbours; `cairn conflicts` shows the result. It can be stopped at any time and continues where it stopped.',
  positionals: [],
  input: v.object({
    limit: v.optional(count('Stop after this many entries', 10_000_000)),
  }),
  output: v.object({
    model: v.pipe(v.nullable(v.string()), v.description('null: no embedder is available')),
    embedded: v.number(),
    waiting: v.pipe(v.number(), v.description('Entries and documents that still have no vector')),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn embed', does: 'with a progress bar on a terminal' }],
  async run(memory, { limit }, { onProgress }) {
    if (!(await memory.semantics.isOn())) throw embedderOff()
    const { readOnly } = await memory.store.health()
    if (readOnly !== undefined) throw vectorsNotStored(readOnly.message)
    await memory.documentSearch.refresh()
    if ((await memory.semantics.embedder()) === undefined)
      throw embedderMissing(memory.semantics.takeDegraded())
    const { embedded, waiting } = await embedWaiting(memory, {
      ...(limit !== undefined && { limit }),
      ...(onProgress && { onProgress: (done, total) => onProgress(done, total, 'vectors') }),
    })
    const { compareEntries } = await import('../../conflicts/find-conflicts.ts')
    if (waiting === 0) {
      await compareEntries(memory, () => false, {
        ...(limit !== undefined && { limit }),
        ...(onProgress && { onProgress: (done, total) => onProgress(done, total, 'entries compared') }),
      })
    }
    const embedder = await memory.semantics.embedder()
    return { model: embedder?.model ?? null, embedded, waiting, degraded: memory.semantics.takeDegraded() }
  },
})

function embedderOff(): CairnError {
  return new CairnError({
    code: 'embedder_unavailable',
    message: 'Search by meaning is switched off (`embedder.use`).',
    hint: '`cairn config unset embedder.use` switches it on.',
  })
}

function embedderMissing(notes: readonly Degradation[]): CairnError {
  const unconfirmed = notes.find(({ code }) => code === 'not_confirmed')
  if (unconfirmed !== undefined) {
    return new CairnError({
      code: 'not_confirmed',
      message: unconfirmed.message,
      hint: 'Allow it and run `cairn embed` again, or leave it: search works by words alone.',
    })
  }
  return new CairnError({
    code: 'embedder_unavailable',
    message: notes.map(({ message }) => message).join(' ') || 'No embedder is available.',
    hint: '`cairn doctor` shows the problem; search works by words alone.',
  })
}

function vectorsNotStored(reason: string): CairnError {
  return new CairnError({
    code: 'vault_read_only',
    message: `Vectors cannot be stored here. ${reason}`,
    hint: 'Search goes on by words.',
  })
}

const consentSchema = v.object({
  use: v.picklist(['built-in', 'http', 'off']),
  state: v.pipe(
    v.picklist(['not_needed', 'allowed', 'not_allowed', 'changed', 'damaged']),
    v.description('not_needed: nothing is sent; changed: other settings were allowed on this machine'),
  ),
  terms: v.pipe(
    v.nullable(v.object({ url: v.string(), model: v.string(), keyVariable: v.string() })),
    v.description('Where entries would be sent; null: nowhere'),
  ),
  code: v.pipe(
    v.nullable(v.string()),
    v.description('The code for `embedder allow`: it allows exactly these settings'),
  ),
  since: v.pipe(v.nullable(v.string()), v.description('When it was allowed on this machine')),
})

async function consentView(memory: Memory & MeaningPorts): Promise<v.InferOutput<typeof consentSchema>> {
  const use = (await memory.config())['embedder.use']
  const standing = await memory.embedder.standing()
  if (standing.kind === 'off') return { use, state: 'not_needed', terms: null, code: null, since: null }
  const { terms, code } = standing
  if (standing.kind === 'allowed') return { use, state: 'allowed', terms, code, since: standing.since }
  return { use, state: standing.why === 'none' ? 'not_allowed' : standing.why, terms, code, since: null }
}

export const embedderStatusOperation = defineOperation({
  name: 'embedder status',
  group: 'Models',
  agent: 'reads',
  summary: 'Show which embedder makes vectors, and whether it is allowed here',
  description:
    'The model in the package needs no permission: nothing leaves this machine. An embedder behind HTTP gets every entry, every document of a workspace and every question, so it is used only after `embedder allow`.',
  positionals: [],
  input: v.object({}),
  output: consentSchema,
  examples: [{ command: 'cairn embedder status', does: 'where texts go, allowed or not' }],
  run: memory => consentView(memory),
})

export const embedderAllowOperation = defineOperation({
  name: 'embedder allow',
  group: 'Models',
  agent: 'person',
  summary: 'Show where entries would be sent for vectors, and allow it',
  description:
    'config.json comes with the repository; its settings of an embedder behind HTTP take effect on this machine only after you allow them. Without a code this shows where entries would be sent. With the code it allows exactly those settings, for this project and this user. Changed settings need a new permission.',
  positionals: ['code'],
  input: v.object({ code: v.optional(text('The code that was shown')) }),
  output: consentSchema,
  examples: [
    { command: 'cairn embedder allow', does: 'show where entries would be sent' },
    { command: 'cairn embedder allow 3f9a2c1b44', does: 'allow exactly these settings' },
  ],
  async run(memory, { code }) {
    if (code !== undefined) await memory.embedder.allow(code.trim())
    return consentView(memory)
  },
})

export const embedderForbidOperation = defineOperation({
  name: 'embedder forbid',
  group: 'Models',
  agent: 'free',
  summary: 'Withdraw the permission for an embedder',
  positionals: [],
  input: v.object({}),
  output: v.object({ forbidden: v.pipe(v.boolean(), v.description('False: nothing was allowed here')) }),
  examples: [{ command: 'cairn embedder forbid', does: 'nothing is sent from now on' }],
  async run(memory) {
    return { forbidden: await memory.embedder.forbid() }
  },
})
