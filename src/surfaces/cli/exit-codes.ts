import { ERROR_CLASSES, ERROR_CODES, type ErrorCode } from '../../model/errors.ts'

/**
 * Verbs that look for what is wrong: that they found something is no failure of theirs, and is told by exit code 1. Verbs of many parts
 * do the others when one fails, and end as that one would have.
 */
export const EXIT_CODES: Readonly<Record<string, (output: never) => number>> = {
  doctor: ({ healthy }: { healthy: boolean }) => (healthy ? 0 : 1),
  'hot lint': ({ passed }: { passed: boolean }) => (passed ? 0 : 1),
  query: exitCodeOfQuery,
  init: exitCodeOfFirst,
  uninstall: exitCodeOfFirst,
  'source sync': exitCodeOfSync,
  'import sync': exitCodeOfSync,
}

function exitCodeOfFirst({ failures: [first] }: { failures: readonly { code: string }[] }): number {
  if (first === undefined) return 0
  return ERROR_CLASSES[ERROR_CODES[first.code as ErrorCode] ?? 'internal'].exitCode
}

/** A state that cannot be read is not an answer, whatever else was found. */
function exitCodeOfQuery({
  state,
  problems,
}: {
  readonly state: unknown
  readonly problems: readonly { readonly path: string }[]
}): number {
  const isUnreadable = problems.some(({ path }) => /^(?:state\.json$|history\/checkpoints\/)/.test(path))
  return state === null && isUnreadable ? ERROR_CLASSES[ERROR_CODES.document_damaged].exitCode : 0
}

function exitCodeOfSync({ synced }: { synced: readonly { readonly status: string }[] }): number {
  return synced.some(({ status }) => status === 'failed') ? 1 : 0
}
