import type { Composed } from '../../compose/composed.ts'
import { neutralise, neutraliseName } from '../../features/brief/decide/fence.ts'
import { oneEntry } from '../../features/entries/present-to-agents.ts'
import { readProjectText } from '../../features/overview/project-text.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { EntryFilter } from '../../kernel/model/search.ts'
import { bounded } from '../../verbs/agent-text.ts'

export const ENTRY_TEMPLATE = 'cairn://entry/{id}'
const ENTRY_URI = 'cairn://entry/'
const PROJECT_URI = 'cairn://project'
const STATE_URI = 'cairn://state'

const MARKDOWN = 'text/markdown'
/** A host may show the whole list to a person, or to a model. */
const MAX_PINNED = 20
const MAX_NEWEST = 30
/** Ids are completed by words among this number of newest entries. */
const MAX_COMPLETED_FROM = 500
const MAX_COMPLETIONS = 20
const TITLE_CHARACTERS = 80

interface ListedResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  readonly annotations?: { readonly priority: number; readonly lastModified?: string }
}

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: ENTRY_TEMPLATE,
    name: 'entry',
    title: 'An entry of the memory',
    description: 'One entry, or one document of a workspace, by its id.',
    mimeType: MARKDOWN,
  },
]

export function entryUri(id: string): string {
  return `${ENTRY_URI}${encodeURIComponent(id)}`
}

/** The project, its state, pinned entries, then the newest: every entry can be read by its id. */
export async function listResources(memory: Composed): Promise<readonly ListedResource[]> {
  await memory.store.refresh()
  const project = await memory.projectText()
  const state = await memory.state.read()
  const pinned = await entriesOf(memory, { status: 'pinned' }, MAX_PINNED)
  const newest = await entriesOf(memory, {}, MAX_NEWEST)
  const entryById = new Map([...pinned, ...newest].map(entry => [entry.id, entry]))
  return [
    ...(project === undefined
      ? []
      : [
          {
            uri: PROJECT_URI,
            name: 'project',
            title: 'The project',
            description: '_project.md: what this project is.',
            mimeType: MARKDOWN,
            annotations: { priority: 1 },
          },
        ]),
    ...(state.kind === 'none'
      ? []
      : [
          {
            uri: STATE_URI,
            name: 'state',
            title: 'State of the project',
            description: 'Focus, gotchas and next steps, as recall has folded them.',
            mimeType: MARKDOWN,
            annotations: { priority: 1 },
          },
        ]),
    ...[...entryById.values()].map(listedEntry),
  ]
}

function listedEntry(entry: Entry): ListedResource {
  const { id, kind, agent, date, updated, status } = entry
  const state = status === 'confirmed' ? '' : ` · ${status}`
  return {
    uri: entryUri(id),
    name: id,
    title: neutraliseName(entry.content, TITLE_CHARACTERS),
    description: `${neutraliseName(kind)} · ${neutraliseName(agent)} · ${date.slice(0, 10)}${state}`,
    mimeType: MARKDOWN,
    annotations: { priority: status === 'pinned' ? 0.9 : 0.5, ...modifiedAt(updated ?? date) },
  }
}

/** A user may have written an invalid date, which is left out. */
function modifiedAt(moment: string): { lastModified?: string } {
  const ms = Date.parse(`${moment}Z`)
  return Number.isNaN(ms) ? {} : { lastModified: new Date(ms).toISOString() }
}

/** The same text that the tools give. Throws `entry_not_found`, `file_not_found`, `state_not_found`. */
export async function readResource(memory: Composed, uri: string): Promise<string> {
  if (uri === PROJECT_URI) return projectResource(memory)
  if (uri === STATE_URI) {
    const { queryOperation } = await import('../../features/state/verbs/query.ts')
    const { text, degraded } = await queryOperation.run(memory, { output: 'markdown' }, {})
    return bounded([text], { degraded })
  }
  const id = entryIdOf(uri)
  const { showOperation } = await import('../../features/entries/verbs/show.ts')
  const shown = id === undefined ? undefined : await showOperation.run(memory, { target: id }, {})
  // A resource address is an exact id; words that match one entry are not accepted.
  if (shown === undefined || shown.entry.id !== id) throw unknownResource(uri)
  return oneEntry(shown)
}

async function projectResource(memory: Composed): Promise<string> {
  const { text } = await readProjectText(memory)
  if (text === '') {
    throw new CairnError({
      code: 'file_not_found',
      message: 'The memory has no _project.md.',
      hint: 'The user can write what the project is into .memory/_project.md.',
    })
  }
  return bounded([neutralise(text)], {})
}

function entryIdOf(uri: string): string | undefined {
  if (!uri.startsWith(ENTRY_URI)) return undefined
  try {
    return decodeURIComponent(uri.slice(ENTRY_URI.length))
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

function unknownResource(uri: string): CairnError {
  return new CairnError({
    code: 'entry_not_found',
    message: `Resource not found: ${neutraliseName(uri, 200)}.`,
    hint: `There are ${PROJECT_URI}, ${STATE_URI} and ${ENTRY_TEMPLATE}; the tool \`search\` finds ids.`,
  })
}

/** First ids that begin with the text, then those of entries that contain it. */
export async function completeId(
  memory: Composed,
  value: string,
): Promise<{ readonly values: string[]; readonly total: number; readonly hasMore: boolean }> {
  await memory.store.refresh()
  const entries = await entriesOf(memory, {}, MAX_COMPLETED_FROM)
  const asked = value.trim().toLowerCase()
  const byId = entries.filter(({ id }) => id.toLowerCase().startsWith(asked))
  const byWords = entries.filter(
    entry => !byId.includes(entry) && entry.content.toLowerCase().includes(asked),
  )
  const ids = [...byId, ...byWords].map(({ id }) => id)
  return {
    values: ids.slice(0, MAX_COMPLETIONS),
    total: ids.length,
    hasMore: ids.length > MAX_COMPLETIONS,
  }
}

/** The newest first, as far as the agent may read them. */
async function entriesOf(memory: Composed, filter: EntryFilter, limit: number): Promise<Entry[]> {
  const { agent } = memory.actor
  const reader = agent === undefined ? {} : { reader: agent }
  const { entries } = await memory.search.listEntries({ filter: { ...filter, ...reader }, limit, offset: 0 })
  return entries
}
