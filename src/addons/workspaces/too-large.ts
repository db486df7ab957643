import type { Problem } from '../../kernel/model/search.ts'

export function tooLarge(path: string): Problem {
  return {
    code: 'file_too_large',
    path,
    message: `${path} is larger than 1 MiB; what comes after that was left out.`,
    hint: 'Expected: a page or two. Split it, or move everything that is not a plan, overview or learning elsewhere.',
  }
}
