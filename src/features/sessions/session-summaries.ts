import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { SessionOverview } from '../../kernel/model/session.ts'
import { rejectionsIn, summaryUnlessRejected } from '../entries/decide/curation.ts'

interface SummaryFilter {
  /** The summary of a session; empty if a person rejected what it repeats. */
  readonly allowed: (session: { readonly session: string; readonly summary: string }) => string
  readonly problems: readonly Problem[]
}

export async function summaryFilter(memory: Memory): Promise<SummaryFilter> {
  try {
    const rejections = rejectionsIn(await memory.store.readDocument('curation.json'))
    return { allowed: session => summaryUnlessRejected(session, rejections), problems: [] }
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    const { code, hint } = error
    const message = `${error.message} Summaries of sessions are left out until it is repaired.`
    // A damaged file must not bring back a text that a person removed.
    return { allowed: () => '', problems: [{ code, path: 'curation.json', message, hint }] }
  }
}

/** Sessions with the summaries that may be shown. */
export async function withAllowedSummaries(
  memory: Memory,
  sessions: readonly SessionOverview[],
): Promise<{ readonly sessions: readonly SessionOverview[]; readonly problems: readonly Problem[] }> {
  if (sessions.every(({ summary }) => summary === undefined)) return { sessions, problems: [] }
  const { allowed, problems } = await summaryFilter(memory)
  return {
    sessions: sessions.map(each => {
      const { session, summary } = each
      return summary === undefined ? each : { ...each, summary: allowed({ session, summary }) }
    }),
    problems,
  }
}
