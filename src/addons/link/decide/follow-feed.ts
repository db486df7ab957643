import { CairnError } from '../../../kernel/model/errors.ts'
import { type FeedPage, readCursor } from './protocol.ts'

const MAX_PAGES = 2_000
const MAX_CHARACTERS = 1_000_000_000

/** Checks each page of a feed before it is applied: a feed that repeats or never ends is rejected. Throws `hub_refused`. */
export function feedFollower(): (cursor: string | null, page: FeedPage) => void {
  let pages = 0
  let characters = 0
  return (cursor, page) => {
    pages++
    for (const { entry } of page.entries) {
      // The entry is not validated yet.
      const content: unknown = entry?.content
      if (typeof content === 'string') characters += content.length
    }
    const from = cursor === null ? undefined : readCursor(cursor)
    const to = readCursor(page.cursor)
    const goesOn =
      to !== undefined && to.revision <= page.revision && (from === undefined || to.revision >= from.revision)
    const isStuck = !page.isLast && (page.entries.length === 0 || page.cursor === cursor)
    if (goesOn && !isStuck && pages <= MAX_PAGES && characters <= MAX_CHARACTERS) return
    throw new CairnError({
      code: 'hub_refused',
      message: 'The feed of the hub repeats itself or does not end.',
      hint: 'Entries received so far stay; `cairn undo <record>` undoes them. Ask an administrator of the hub.',
    })
  }
}
