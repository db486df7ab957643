import type { WhoMet } from '../../kernel/model/across.ts'
import { readMet } from './decide/met-question.ts'
import type { AcrossProjects } from './decide/rooms.ts'
import { MET, tellMet } from './decide/tell-met.ts'
import { type AcrossQuestion, searchEverywhere } from './search-everywhere.ts'
import type { VisitOptions } from './visit.ts'

/** More are found than told: what tells a solution may stand behind what only mentions it. */
const LOOKED_AT = 4

/** "Who else has met this?": an error as a program printed it, or a decision as somebody would put it. */
export async function whoMet(
  projects: AcrossProjects,
  { text, ...question }: Omit<AcrossQuestion, 'query'> & { readonly text: string },
  asking: VisitOptions,
): Promise<WhoMet> {
  const met = readMet(text)
  const { limit } = question
  const { hits: found, ...looked } = await searchEverywhere(
    projects,
    { ...question, query: met.query, limit: LOOKED_AT * limit, floor: MET.found },
    asking,
  )
  const hits = tellMet(found, met, limit)
  const ids = new Set(hits.flatMap(({ from }) => from.map(({ project }) => project.id)))
  return { ...met, hits, ...looked, projects: looked.projects.filter(({ id }) => ids.has(id)) }
}
