import MiniSearch from 'minisearch'
import { latencyOf, mean, roundTo } from './statistics.ts'
import { entryAt, type SyntheticQuestion } from './synthetic-corpus.ts'

/** MiniSearch as the tools before Cairn configured it. Values from those tools; do not tune them. */
const SEED_FIELDS = ['content', 'tags', 'filePaths', 'category']
const SEED_SEARCH = {
  fuzzy: 0.2,
  prefix: true,
  boost: { content: 2, tags: 1.5, filePaths: 1.2, category: 1 },
}

export function measureMiniSearch(entries: number, questions: readonly SyntheticQuestion[]) {
  const index = new MiniSearch({ fields: SEED_FIELDS, searchOptions: SEED_SEARCH })
  for (let position = 0; position < entries; position++) {
    const { text, metadata } = entryAt(position)
    index.add({
      id: position,
      content: text,
      tags: metadata.tags.join(' '),
      filePaths: metadata.files.join(' '),
      category: metadata.kind,
    })
  }
  const [warmUp] = questions
  if (warmUp !== undefined) index.search(warmUp.text)
  const millis: number[] = []
  const reciprocalRanks: number[] = []
  const cpu = process.cpuUsage()
  for (const question of questions) {
    const start = performance.now()
    const hits = index.search(question.text).slice(0, 10)
    millis.push(performance.now() - start)
    const rank = hits.findIndex(hit => hit.id === question.answer) + 1
    // An answer beyond the entries that were indexed cannot be found, and is not held against it.
    if (question.answer < entries) reciprocalRanks.push(rank > 0 ? 1 / rank : 0)
  }
  const { user, system } = process.cpuUsage(cpu)
  return {
    entries,
    questions: questions.length,
    ...latencyOf(millis),
    meanCpuMs: roundTo(3, (user + system) / 1000 / questions.length),
    mrr: reciprocalRanks.length === 0 ? 0 : roundTo(4, mean(reciprocalRanks)),
    'hit@10':
      reciprocalRanks.length === 0 ? 0 : roundTo(4, mean(reciprocalRanks.map(value => Number(value > 0)))),
  }
}
