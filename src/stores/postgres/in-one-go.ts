/** Statements that need nothing of each other's answers: sent one after the other without waiting. All are waited for, also when one fails. */
export async function inOneGo<const T extends readonly Promise<unknown>[]>(
  asked: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(asked)
  const failed = settled.find(each => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return settled.map(each => (each as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>
  }
}
