import { ApiError, call } from '../../api/client.ts'
import { type Entry, isPinnedByPerson } from './pages.ts'

/** The memory writes changes one by one, so parallel requests would only wait. */
const AT_ONCE = 4

export type BulkAction =
  | { readonly kind: 'remove' }
  | { readonly kind: 'pin'; readonly isPinned: boolean }
  | {
      readonly kind: 'change'
      readonly addTags: readonly string[]
      readonly removeTags: readonly string[]
      readonly newKind: string
      readonly agent: string
      readonly category: string
    }

interface BulkResult {
  /** The journal records of the changes, oldest first. */
  readonly records: readonly string[]
  readonly done: readonly string[]
  readonly failures: readonly ApiError[]
}

interface BulkOptions {
  readonly signal: AbortSignal
  onProgress(done: number): void
}

/** Runs one action on many entries. A failure does not stop the others. */
export async function runInBulk(
  entries: readonly Entry[],
  action: BulkAction,
  { signal, onProgress }: BulkOptions,
): Promise<BulkResult> {
  const records: string[] = []
  const done: string[] = []
  const failures: ApiError[] = []
  let next = 0
  const work = async () => {
    for (let entry = entries[next++]; entry !== undefined && !signal.aborted; entry = entries[next++]) {
      try {
        const record = await doTo(entry, action)
        if (record !== null) records.push(record)
        done.push(entry.id)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        failures.push(error)
      }
      onProgress(done.length + failures.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { records, done, failures }
}

async function doTo(entry: Entry, action: BulkAction): Promise<string | null> {
  if (action.kind === 'remove') return (await call('forget', { target: entry.id })).record
  if (action.kind === 'pin') {
    const isDone = action.isPinned ? isPinnedByPerson(entry) : entry.status !== 'pinned'
    if (isDone) return null
    return (await call('pin', { target: entry.id, off: !action.isPinned })).record
  }
  const { addTags, removeTags, newKind, agent, category } = action
  const removed = new Set(removeTags.map(tag => tag.toLowerCase()))
  const tags = [...new Set([...entry.tags, ...addTags])].filter(tag => !removed.has(tag))
  const { record } = await call('edit', {
    target: entry.id,
    ...(addTags.length + removeTags.length > 0 && { tags }),
    ...(newKind !== '' && { kind: newKind, category: entry.category }),
    ...(agent !== '' && { agent }),
    ...(category !== '' && { category: category as Entry['category'] }),
  })
  return record
}
