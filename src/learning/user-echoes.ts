import type { Engine } from '../engine-parts.ts'
import { CairnError } from '../model/errors.ts'
import type { Preference } from '../model/preference.ts'
import { type FoundByAgent, sameness, statedOf } from './evidence.ts'

/**
 * Findings without those in which an agent repeats a preference of the user's own memory that it was told: what is the person's must
 * not become the project's by being echoed. What the user says here they say here.
 */
export async function withoutUserEchoes(
  engine: Engine,
  found: readonly FoundByAgent[],
  { told, date }: { readonly told: ReadonlySet<string>; readonly date: string },
): Promise<readonly FoundByAgent[]> {
  const preferences = told.size === 0 ? [] : (await ownPreferences(engine)).filter(({ id }) => told.has(id))
  if (preferences.length === 0) return found
  const isSame = sameness(engine)
  const kept: FoundByAgent[] = []
  for (const each of found) {
    const stated = statedOf(each.finding, date)
    let isEcho = false
    for (const { text, kind } of each.finding.speaker === 'user' ? [] : preferences)
      isEcho ||= await isSame(stated, { content: text, kind, tags: [], files: [], date })
    if (!isEcho) kept.push(each)
  }
  return kept
}

/** That they cannot be read is told by the brief; here there are none to compare with then. */
async function ownPreferences(engine: Engine): Promise<readonly Preference[]> {
  try {
    return (await engine.sources.preferences()).preferences
  } catch (error) {
    if (error instanceof CairnError) return []
    throw error
  }
}
