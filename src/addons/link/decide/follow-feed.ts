import { CairnError } from '../../../kernel/model/errors.ts'
import { type FeedPage, readCursor } from './protocol.ts'

const MAX_PAGES = 2_000
const MAX_CHARACTERS = 1_000_000_000

/** Looks at each page of a feed before it is taken: a hub that leads in a circle, or never ends, is left. Throws `hub_refused`. */
export function feedFollower(): (cursor: string | null, page: FeedPage) => void {
  let pages = 0
  let characters = 0
  return (cursor, page) => {
    pages++
    for (const { entry } of page.entries) {
      // Nobody has looked yet whether it is an entry.
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
      message: 'What the hub tells of its entries leads in a circle, or does not end.',
      hint: 'What was received until now stays; `cairn undo <record>` takes it back. Ask whoever runs the hub.',
    })
  }
}
