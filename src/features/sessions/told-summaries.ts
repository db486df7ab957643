import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { SessionOverview } from '../../kernel/model/session.ts'
import { rejectionsIn, summaryUnlessRejected } from '../entries/decide/curation.ts'

export interface SummaryTeller {
  /** The summary of a session as it may be told; empty where a person said no to what it repeats. */
  readonly told: (session: { readonly session: string; readonly summary: string }) => string
  readonly problems: readonly Problem[]
}

export async function summaryTeller(memory: Memory): Promise<SummaryTeller> {
  try {
    const rejections = rejectionsIn(await memory.store.readDocument('curation.json'))
    return { told: session => summaryUnlessRejected(session, rejections), problems: [] }
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    const { code, hint } = error
    const message = `${error.message} Summaries of sessions are left out meanwhile.`
    // What a person took away must not be told again because a file is damaged.
    return { told: () => '', problems: [{ code, path: 'curation.json', message, hint }] }
  }
}

/** A list of sessions with their summaries as they may be told. */
export async function withToldSummaries(
  memory: Memory,
  sessions: readonly SessionOverview[],
): Promise<{ readonly sessions: readonly SessionOverview[]; readonly problems: readonly Problem[] }> {
  if (sessions.every(({ summary }) => summary === undefined)) return { sessions, problems: [] }
  const { told, problems } = await summaryTeller(memory)
  return {
    sessions: sessions.map(each => {
      const { session, summary } = each
      return summary === undefined ? each : { ...each, summary: told({ session, summary }) }
    }),
    problems,
  }
}
