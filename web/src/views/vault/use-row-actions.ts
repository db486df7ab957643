import { useMemo, useRef } from 'react'
import { call } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { showFailure } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { ticked } from './checklist.ts'
import { dropDraft } from './drafts.ts'
import { saveEdit } from './edits.ts'
import type { RowActions } from './entry-row.tsx'
import { type Entry, isPinnedByPerson } from './pages.ts'
import type { VaultWords } from './words.ts'

interface Around {
  readonly words: VaultWords
  point(id: string): void
  open(id: string): void
  edit(id: string | undefined): void
  /** Called after an edit was saved or cancelled. */
  focus(id: string): void
  select(entry: Entry, how: { readonly isRange: boolean }): void
  replace(entry: Entry): void
  /** Hides the row and returns the next one. */
  drop(id: string): void
  refetch(): void
  chooseTag(tag: string): void
}

/** The actions of all rows, as one stable object. */
export function useRowActions(around: Around): RowActions {
  const now = useRef(around)
  now.current = around
  return useMemo<RowActions>(
    () => ({
      point: id => now.current.point(id),
      open: id => now.current.open(id),
      edit: id => now.current.edit(id),
      select: (entry, how) => now.current.select(entry, how),
      chooseTag: tag => now.current.chooseTag(tag),
      saved(entry) {
        now.current.replace(entry)
        now.current.focus(entry.id)
      },
      pin: entry => void pin(entry, now.current),
      remove: entry => void remove(entry, now.current),
      tick: (entry, line, isDone) => void tick(entry, line, isDone, now.current),
    }),
    [],
  )
}

async function pin(entry: Entry, { words, replace, refetch }: Around): Promise<void> {
  const isPinned = isPinnedByPerson(entry)
  // Shown immediately, before the server responds.
  replace({ ...entry, status: isPinned ? 'confirmed' : 'pinned' })
  try {
    const answer = await call('pin', { target: entry.id, off: isPinned })
    replace(answer.entry)
    undoToast(isPinned ? words.unpinnedNow : words.pinnedNow, answer.record)
    notifyChange()
  } catch (error) {
    showFailure(error)
    refetch()
  }
}

async function remove(entry: Entry, { words, drop, refetch }: Around): Promise<void> {
  drop(entry.id)
  try {
    const { record } = await call('forget', { target: entry.id })
    dropDraft(entry.id)
    undoToast(words.removed, record)
    notifyChange()
  } catch (error) {
    showFailure(error)
    refetch()
  }
}

/** Ticks a task with the verb `task`. One of several checkboxes is an edit, which is refused if the text has changed. */
async function tick(entry: Entry, line: number, isDone: boolean, around: Around): Promise<void> {
  const { words, replace, refetch } = around
  const content = ticked(entry.content, line, isDone)
  replace({ ...entry, content })
  try {
    const isPlainTask =
      entry.category === 'tasks' && (entry.content.match(/^\s*[-*] \[[ xX]\] /gm) ?? []).length === 1
    let record: string | null
    if (isPlainTask) record = (await call('taskDone', { target: entry.id, reopen: !isDone })).record
    else {
      const saved = await saveEdit(entry.id, { content }, entry.content)
      if (saved.kind !== 'saved') {
        refetch()
        return
      }
      replace(saved.answer.entry)
      record = saved.answer.record
    }
    undoToast(isDone ? words.ticked : words.reopened, record)
    notifyChange()
  } catch (error) {
    showFailure(error)
    refetch()
  }
}
