import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { DEFAULT_ALIASES } from '../../../kernel/text/aliases.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import type { JsonObject } from '../../../kernel/vault/ports.ts'
import { defineOperation, degradedSchema, list, recordSchema, text } from '../../../verbs/operation.ts'

const aliasSchema = v.object({
  word: v.string(),
  meanings: v.pipe(v.array(v.string()), v.readonly()),
  default: v.boolean(),
})

export const aliasListOperation = defineOperation({
  name: 'alias list',
  group: 'Find',
  agent: 'reads',
  worksForUser: true,
  summary: 'Show which words search takes for one another',
  positionals: [],
  input: v.object({}),
  output: v.object({ aliases: v.array(aliasSchema), degraded: degradedSchema }),
  examples: [{ command: 'cairn alias list', does: 'the defaults and your own' }],
  async run(memory) {
    const own = ownAliases(await memory.store.readDocument('curation.json'))
    const aliases = Object.entries(await memory.aliases())
      .map(([word, meanings]) => ({ word, meanings, default: !Object.hasOwn(own, word) }))
      .sort((a, b) => a.word.localeCompare(b.word))
    return { aliases, degraded: memory.store.takeDegraded() }
  },
})

export const aliasAddOperation = defineOperation({
  name: 'alias add',
  group: 'Find',
  agent: 'free',
  worksForUser: true,
  summary: 'Teach search that a word means others too',
  positionals: ['word', 'meanings'],
  input: v.object({
    word: text('The word as asked'),
    meanings: list('The words that entries may use instead'),
  }),
  output: v.object({ alias: aliasSchema, record: recordSchema, degraded: degradedSchema }),
  examples: [
    { command: 'cairn alias add ledger accounting bookkeeping', does: 'asking for ledger finds accounting' },
  ],
  async run(memory, { word, meanings }) {
    const key = normalise(word)
    const added = wordsOf(meanings).filter(meaning => meaning !== '' && meaning !== key)
    if (key === '' || added.length === 0) throw badAlias()
    const known = (await memory.aliases())[key] ?? []
    const all = [...new Set([...known, ...added])]
    const record = await editAliases(memory, own => ({ ...own, [key]: all }))
    return {
      alias: { word: key, meanings: all, default: false },
      record,
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const aliasRemoveOperation = defineOperation({
  name: 'alias remove',
  group: 'Find',
  agent: 'free',
  worksForUser: true,
  summary: 'Forget an alias, or one meaning of it',
  positionals: ['word', 'meanings'],
  input: v.object({
    word: text('The word'),
    meanings: v.optional(list('Only these meanings (default: all)')),
  }),
  output: v.object({
    word: v.string(),
    left: v.pipe(v.array(v.string()), v.readonly()),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn alias remove ledger', does: 'a default alias is switched off, your own is deleted' },
  ],
  async run(memory, { word, meanings }) {
    const key = normalise(word)
    const known = (await memory.aliases())[key]
    if (known === undefined) throw aliasNotFound(key)
    const gone = new Set(wordsOf(meanings ?? []))
    const left = gone.size === 0 ? [] : known.filter(meaning => !gone.has(meaning))
    if (left.length === known.length) throw aliasNotFound(`${key} → ${[...gone].join(', ')}`)
    const record = await editAliases(memory, own => {
      const { [key]: _gone, ...rest } = own
      // An empty list is what switches a default off.
      return left.length > 0 || Object.hasOwn(DEFAULT_ALIASES, key) ? { ...rest, [key]: left } : rest
    })
    return { word: key, left, record, degraded: memory.store.takeDegraded() }
  },
})

async function editAliases(
  memory: Memory,
  edit: (own: Record<string, readonly string[]>) => Record<string, readonly string[]>,
): Promise<string | null> {
  const record = await memory.store.write(memory.actor, async view => {
    const before = await view.readDocument('curation.json')
    const after = { ...before, aliases: edit(ownAliases(before)) }
    return { action: 'alias', changes: [{ type: 'document', name: 'curation.json', before, after }] }
  })
  return record?.id ?? null
}

function ownAliases(document: JsonObject): Record<string, readonly string[]> {
  const { aliases } = document
  return typeof aliases === 'object' && aliases !== null
    ? { ...(aliases as Record<string, readonly string[]>) }
    : {}
}

/** `kubernetes,cluster` and `kubernetes; cluster` are two, as they are two when a blank parts them. */
function wordsOf(meanings: readonly string[]): string[] {
  return meanings.flatMap(meaning => meaning.split(/[,;|]/)).map(normalise)
}

function normalise(word: string): string {
  return redact(word).text.normalize('NFC').trim().toLowerCase().replace(/\s+/g, ' ').slice(0, 80)
}

function badAlias(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: 'An alias needs a word and at least one other word that it means.',
    hint: 'For example: cairn alias add ledger accounting',
  })
}

function aliasNotFound(word: string): CairnError {
  return new CairnError({
    code: 'alias_not_found',
    message: `There is no alias ${word}.`,
    hint: '`cairn alias list` shows them.',
  })
}
