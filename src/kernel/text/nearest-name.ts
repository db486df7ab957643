import { editDistance } from './edit-distance.ts'

/** Longer ones are no slip of anybody's fingers. */
const MAX_LENGTH = 80

/** Which of the names was meant: the one fewest slips away, at most so many, whatever the case of its letters. */
export function nearestName(typed: string, names: Iterable<string>, most: number): string | undefined {
  const given = typed.slice(0, MAX_LENGTH).toLowerCase()
  let nearest: string | undefined
  let least = most + 1
  for (const name of names) {
    const distance = editDistance(given, name.toLowerCase(), least)
    if (distance >= least) continue
    nearest = name
    least = distance
  }
  return nearest
}
