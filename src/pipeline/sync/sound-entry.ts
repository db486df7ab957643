import { parseAgentId } from '../../model/agent-id.ts'
import { isCategory } from '../../model/category.ts'
import { type Entry, ORIGINS, STATUSES } from '../../model/entry.ts'
import { CairnError } from '../../model/errors.ts'

const LONGEST_ID = 200
const MOST_CHARACTERS = 400_000
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/

/** Whether it is an entry as every Cairn writes them: what comes over a wire names a folder of this machine by its agent. */
export function isSound(entry: Entry): boolean {
  return (
    entry.id.trim() !== '' &&
    entry.id.length <= LONGEST_ID &&
    !/[\p{Cc}]/u.test(entry.id) &&
    isAgentId(entry.agent) &&
    isCategory(entry.category) &&
    (STATUSES as readonly string[]).includes(entry.status) &&
    (ORIGINS as readonly string[]).includes(entry.origin) &&
    DATE.test(entry.date) &&
    entry.content.trim() !== '' &&
    entry.content.length <= MOST_CHARACTERS &&
    entry.importance >= 0 &&
    entry.importance <= 1
  )
}

function isAgentId(agent: string): boolean {
  try {
    return parseAgentId(agent) === agent
  } catch (error) {
    if (error instanceof CairnError) return false
    throw error
  }
}
