import { editDistance } from './edit-distance.ts'

/** Longer texts are not typing errors. */
const MAX_LENGTH = 80

/** The most similar name with at most so many typing errors, ignoring case. */
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
