import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { homeOfKind } from '../../../kernel/model/category.ts'
import type { Config } from '../../../kernel/model/config.ts'
import { type Entry, withPinnedBy } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Anchoring } from '../../../kernel/model/freshness.ts'
import type { Change } from '../../../kernel/model/journal.ts'
import type { RedactedPart } from '../../../kernel/model/new-entry.ts'
import { extractTags } from '../../../kernel/text/tags.ts'
import { sameEntry } from '../../../kernel/vault/observe.ts'
import type { StoreView } from '../../../kernel/vault/ports.ts'
import { onlyAPerson } from '../../../verbs/agent-rules.ts'
import {
  AFTER_STORING,
  category,
  defineOperation,
  degradedSchema,
  entryFiles,
  entrySchema,
  entryTags,
  proposedSchema,
  recordSchema,
  share,
  status,
  text,
} from '../../../verbs/operation.ts'
import { isOwnEntry, proposeChange, requireStorable } from '../../agent-saves/propose-change.ts'
import { anchorFiles, withAnchors } from '../../freshness/anchoring.ts'
import type { FreshnessPorts } from '../../freshness/decide/ports.ts'
import type { ProposedFields } from '../../review/decide/proposed-changes.ts'
import { captureEntry } from '../decide/capture-entry.ts'
import { withoutConfirmation } from '../decide/confirmations.ts'
import { changeEntry, withConfirmationsFor } from '../write-entries.ts'
import { rememberOperation } from './remember.ts'
import { findTarget } from './target.ts'

export const editOperation = defineOperation({
  name: 'edit',
  group: 'Remember',
  agent: 'own',
  worksForUser: true,
  after: AFTER_STORING,
  route: { at: 'PATCH /api/entries/:target', access: 'write' },
  tool: {
    name: 'edit',
    title: 'Edit an entry',
    description: "Reword an entry, or change its kind, tags or files; the user's own need their approval.",
    fields: {
      target: 'Its id',
      content: '',
      kind: '',
      tags: '',
      files: '',
      expect: 'Its content when you read it',
    },
    effect: 'writes',
    isIdempotent: true,
    isExtra: true,
  },
  summary: 'Change an entry',
  description:
    'Changes the given fields and no others. An entry that you edit or confirm is never archived automatically. Without --content and without any other change, a terminal opens the text in $EDITOR.',
  positionals: ['target'],
  input: v.object({
    target: text('The id, or words that only one entry fits'),
    content: v.optional(text('The new text; - reads it from standard input')),
    agent: v.optional(text('Move it to the vault of this agent')),
    category: v.optional(category('Move it to this vault file')),
    kind: v.optional(
      text('The new kind; moves it to the home of that kind unless --category says otherwise'),
    ),
    tags: v.optional(entryTags('The new tags, besides the #words in the text')),
    files: v.optional(entryFiles('The new files')),
    importance: v.optional(share('0 to 1')),
    status: v.optional(status('candidate, confirmed or pinned')),
    expect: v.optional(text('The content you last saw: fails with entry_changed if it is different now')),
  }),
  output: v.object({
    entry: entrySchema,
    redacted: rememberOperation.output.entries.redacted,
    record: recordSchema,
    proposed: proposedSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn edit 1773679871839-k3f9', does: 'in $EDITOR' },
    {
      command: 'cairn edit 1773679871839-k3f9 --status candidate --importance 0.3',
      does: 'without an editor',
    },
  ],
  async run(memory, { target, expect: seen, ...given }, { isAgent, editText }) {
    const config = await memory.config()
    const found = await findTarget(memory, target)
    const isEmpty = seen === undefined && Object.values(given).every(value => value === undefined)
    const written = isEmpty ? await editText?.(found.content, `${found.id}.md`) : undefined
    const fields = written === undefined ? given : { ...given, content: written }
    const expect = written === undefined ? seen : found.content
    if (isAgent === true) {
      if (fields.content !== undefined) requireStorable(fields.content)
      if (fields.status !== undefined) throw onlyAPerson(`edit --status ${fields.status}`)
      const other = (['agent', 'importance'] as const).find(field => fields[field] !== undefined)
      if (other !== undefined && !isOwnEntry(found)) throw onlyAPerson(`edit --${other}`)
    }
    let redacted: ReturnType<typeof captureEntry>['redacted'] = []
    const second = await secondNetOf(memory, config, fields.content)
    const anchoring = await anchorsAfterEdit(memory, config, found, { ...fields, content: second.content })
    const edit = (entry: Entry): Entry => {
      if (expect !== undefined && expect !== entry.content) throw entryChanged(entry)
      const moved = fields.kind !== undefined ? homeOfKind(fields.kind) : entry.category
      // A #word that the new text no longer has is no longer a tag; other tags stay.
      const words = new Set(fields.content === undefined ? [] : extractTags(entry.content))
      const tags = fields.tags ?? entry.tags.filter(tag => !words.has(tag))
      const changes = {
        ...defined({ ...fields, content: second.content }),
        tags,
        category: fields.category ?? moved,
      }
      const captured = captureEntry({ ...entry, ...changes }, config)
      redacted = [...second.redacted, ...captured.redacted]
      const { dateMs: _date, confidence: _confidence, session: _session, ...changed } = captured.entry
      const worded: Entry = { ...entry, ...changed }
      const edited = fields.status === undefined ? worded : withPinnedBy(worded, 'person')
      const next = anchoring === undefined ? edited : withAnchors(edited, anchoring)
      if (sameEntry(next, entry)) return entry
      return { ...next, updated: new Date(memory.clock.nowMs()).toISOString().slice(0, 19) }
    }
    if (isAgent === true && !isOwnEntry(found)) {
      const asked = { action: 'edit', fields: changedFields(found, edit(found)) } as const
      const isEmpty = Object.keys(asked.fields).length === 0
      const { id: proposed, record } = isEmpty
        ? { id: undefined, record: null }
        : await proposeChange(memory, found, asked)
      return {
        entry: found,
        redacted,
        record,
        ...(proposed !== undefined && { proposed }),
        degraded: memory.store.takeDegraded(),
      }
    }
    const { after, record } = await changeEntry(
      memory,
      found.id,
      'update',
      edit,
      async (before, next, view) =>
        isAgent === true
          ? []
          : actorLabel(memory, view, { before, after: next ?? before, status: fields.status }),
    )
    if (after === null) throw new Error('an edit leaves an entry')
    return { entry: after, redacted, record: record?.id ?? null, degraded: memory.store.takeDegraded() }
  },
})

/** What an agent's edit of a person's entry would change. */
function changedFields(before: Entry, after: Entry): ProposedFields {
  const names = ['content', 'kind', 'category', 'tags', 'files'] as const
  const changed = names.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(changed.map(name => [name, after[name]]))
}

/**
 * A person who edits the text of an entry, or marks it confirmed or pinned, confirms it: upkeep does not archive it.
 * Setting it to candidate undoes that. Agents cannot confirm.
 */
async function actorLabel(
  memory: Memory,
  view: StoreView,
  { before, after, status }: { before: Entry; after: Entry; status: Entry['status'] | undefined },
): Promise<readonly Change[]> {
  const holds = status === 'confirmed' || status === 'pinned' || after.content !== before.content
  if (status !== 'candidate' && !holds) return []
  const document = await view.readDocument('curation.json')
  const noted =
    status === 'candidate'
      ? withoutConfirmation(document, after.id)
      : await withConfirmationsFor(memory, document, [after])
  if (noted === document) return []
  return [{ type: 'document', name: 'curation.json', before: document, after: noted }]
}

/** A new text or a new list of files anchors the entry to the current state of its files. undefined if neither was given. */
async function anchorsAfterEdit(
  memory: FreshnessPorts,
  config: Config,
  entry: Entry,
  { content, files }: { content?: string | undefined; files?: readonly string[] | undefined },
): Promise<Anchoring | undefined> {
  if (content === undefined && files === undefined) return undefined
  const input = { content: content ?? entry.content, files: files ?? entry.files }
  const captured = captureEntry(input, config).entry
  return anchorFiles(memory, captured.files, captured.content)
}

/** The second net under the new text, as `remember` has it; before the lock is taken. */
async function secondNetOf(
  memory: Memory,
  config: Config,
  content: string | undefined,
): Promise<{ content: string | undefined; redacted: readonly RedactedPart[] }> {
  if (content === undefined || !config['redaction.secondNet']) return { content, redacted: [] }
  const first = captureEntry({ content }, config)
  const second = await memory.secondNet(first.entry.content)
  if (second.redacted.length === 0) return { content, redacted: [] }
  const parts = [...first.redacted, ...second.redacted.map(part => ({ ...part, field: 'content' as const }))]
  return { content: second.text, redacted: parts }
}

function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

function entryChanged(entry: Entry): CairnError {
  return new CairnError({
    code: 'entry_changed',
    message: `Entry ${entry.id} was changed since you read it; nothing was written.`,
    hint: `\`cairn show ${entry.id}\` shows it as it is now. Make your change to that.`,
    details: { current: entry.content },
  })
}
