import type { ValidationCheck } from './look.ts'

/** On a hub: what is looked up of entries against the entries, and the journal against its numbers. */
export const rowsCheck: ValidationCheck = {
  name: 'index',
  about: 'whether the rows that searches use are level with the entries, and the journal is whole',
  async run(look) {
    const problems = await look.engine.store.check()
    look.add(
      problems.map(({ code, path, message, hint }) => ({
        code,
        severity: 'error',
        path,
        message,
        fix: hint,
        ...(code === 'index_disagrees' && { mend: { kind: 'rebuild_index' } as const }),
      })),
    )
  },
}
