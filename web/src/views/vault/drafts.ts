import { useSyncExternalStore } from 'react'

/** An unsaved edit of an entry. It survives a reload of the tab, and nothing else. */
export interface Draft {
  /** The text of the entry when the edit started. */
  readonly seen: string
  readonly content: string
  readonly kind: string
  readonly tags: string
  readonly files: string
  readonly status: string
  readonly category: string
  readonly agent: string
}

const KEY = 'cairn-drafts'
const listeners = new Set<() => void>()
let drafts: Readonly<Record<string, Draft>> = readDrafts()

function readDrafts(): Record<string, Draft> {
  const stored = sessionStorage.getItem(KEY)
  if (stored === null) return {}
  try {
    return JSON.parse(stored) as Record<string, Draft>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return {}
  }
}

export function draftOf(id: string): Draft | undefined {
  return drafts[id]
}

export function saveDraft(id: string, draft: Draft): void {
  change({ ...drafts, [id]: draft })
}

export function dropDraft(id: string): void {
  if (drafts[id] === undefined) return
  const { [id]: _dropped, ...rest } = drafts
  change(rest)
}

function change(next: Readonly<Record<string, Draft>>): void {
  drafts = next
  sessionStorage.setItem(KEY, JSON.stringify(drafts))
  for (const listener of listeners) listener()
}

export function useHasDraft(id: string): boolean {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => drafts[id] !== undefined,
  )
}
