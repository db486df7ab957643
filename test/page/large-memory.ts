const TOPICS = [
  'the cache',
  'a retry',
  'the schema',
  'the login',
  'the queue',
  'an index',
  'the build',
  'a webhook',
]
const KINDS = ['decision', 'architecture', 'preference'] as const
const MINUTE_MS = 60_000

/** Any number of decisions, newest first by number: entry 0 is the oldest. */
export function largeMemory(count: number, nowMs: number) {
  return Array.from({ length: count }, (_, at) => {
    const topic = TOPICS[at % TOPICS.length]
    const lines = Array.from(
      { length: 1 + (at % 4) },
      (_, line) => `Reason ${line + 1} of number ${at} is **${topic}**.`,
    )
    return {
      text: `Entry number ${at} settles ${topic}.\n\n${lines.join('\n\n')}`,
      metadata: {
        category: 'decisions',
        kind: KINDS[at % KINDS.length],
        agent: at % 3 === 0 ? 'dev' : 'shared',
        tags: [`topic-${at % 8}`],
        date: new Date(nowMs - (count - at) * MINUTE_MS).toISOString().slice(0, 16),
        status: 'confirmed',
      },
    }
  })
}
