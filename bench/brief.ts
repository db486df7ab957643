import { type BeirFolder, findBeirFolders, readBeirFolder } from './beir-folder.ts'
import { withMemoryOf } from './beir-memory.ts'
import type { Bench, Library } from './bench.ts'
import { check } from './report.ts'
import { latencyOf, roundTo } from './statistics.ts'

const GOALS = { mustHave: 0.74, silentOnNegatives: 0.65, silentOnAnswerable: 0.05, meanTokens: 600 } as const

interface BriefedPrompt {
  readonly category: string
  readonly isAnswerable: boolean
  readonly hasMustHave: boolean
  readonly isSilent: boolean
  readonly tokens: number
  readonly ms: number
  /** What the task was taken for, and how well its entry is placed with that and without. */
  readonly profile: string
  readonly placed: number
  readonly placedByDefault: number
}

/** Only folders with negative prompts can tell whether silence is kept. */
export const briefBench: Bench = {
  name: 'brief',
  summary: 'whether a brief holds the entry that the prompt needs, and is silent where none is (--data)',
  async run({ library, dataFolder, isWordsOnly, progress }) {
    const folders = findBeirFolders(dataFolder)
      .map(readBeirFolder)
      .filter(folder => folder.queries.some(query => query.facts.length === 0))
    if (folders.length === 0) throw new Error(`${dataFolder} has no folder with prompts that nothing answers`)
    const prompts: BriefedPrompt[] = []
    const sets: Record<string, BriefFigures> = {}
    for (const folder of folders) {
      progress(`brief: ${folder.name}`)
      const briefed = await runFolder(library, folder, isWordsOnly)
      sets[folder.name] = figuresOf(briefed)
      prompts.push(...briefed)
    }
    const overall = figuresOf(prompts)
    const categories = Object.fromEntries(
      [...new Set(prompts.map(prompt => prompt.category))]
        .sort()
        .map(category => [category, figuresOf(prompts.filter(prompt => prompt.category === category))]),
    )
    const profiles = profilesOf(prompts)
    const rows = [
      ['overall', overall] as const,
      ...Object.entries(sets),
      ...Object.entries(categories).map(([name, figures]) => [`  ${name}`, figures] as const),
    ].map(([name, figures]) => [
      name,
      figures.prompts,
      figures.mustHave ?? '',
      figures.silentOnNegatives ?? '',
      figures.silentOnAnswerable ?? '',
      figures.meanTokens,
    ])
    return {
      data: { overall, sets, categories, profiles, latency: latencyOf(prompts.map(prompt => prompt.ms)) },
      checks: [
        check('brief: must-have entry told', overall.mustHave ?? 0, 'at least', GOALS.mustHave),
        check(
          'brief: silent on negatives',
          overall.silentOnNegatives ?? 0,
          'at least',
          GOALS.silentOnNegatives,
        ),
        check(
          'brief: silent on answerable',
          overall.silentOnAnswerable ?? 1,
          'at most',
          GOALS.silentOnAnswerable,
        ),
        check('brief: mean tokens', overall.meanTokens, 'at most', GOALS.meanTokens),
        ...Object.entries(profiles).map(([name, { mrr, mrrByDefault }]) =>
          check(`brief: profile ${name}, MRR against the default's`, mrr, 'at least', mrrByDefault),
        ),
      ],
      tables: [
        {
          title: 'Briefs',
          rows: [
            ['', 'prompts', 'must-have', 'silent on negatives', 'silent on answerable', 'mean tokens'],
            ...rows,
          ],
        },
        {
          title: 'Profiles, on the prompts that each is for',
          rows: [
            ['', 'prompts', 'MRR', 'by default', 'must-have', 'by default'],
            ...Object.entries(profiles).map(([name, of]) => [
              name,
              of.prompts,
              of.mrr,
              of.mrrByDefault,
              of.told,
              of.toldByDefault,
            ]),
          ],
        },
      ],
    }
  },
}

async function runFolder(
  library: Library,
  folder: BeirFolder,
  isWordsOnly: boolean,
): Promise<BriefedPrompt[]> {
  return withMemoryOf(library, { folder, isWordsOnly }, async ({ memory, entryByDocument, askedAt }) => {
    const briefed: BriefedPrompt[] = []
    for (const query of folder.queries) {
      askedAt(query)
      const start = performance.now()
      const { included, tokens, text, profile } = await memory.brief({
        prompt: query.text,
        files: query.activeFiles,
      })
      const ms = performance.now() - start
      const told = new Set(included.map(({ id }) => id))
      const place = (items: readonly { id?: string }[]) =>
        placeOf(items, id =>
          query.facts.some(documents => documents.some(one => entryByDocument.get(one) === id)),
        )
      const plain =
        profile === 'default'
          ? included
          : (await memory.brief({ prompt: query.text, files: query.activeFiles, profile: 'default' }))
              .included
      briefed.push({
        profile,
        placed: place(included),
        placedByDefault: place(plain),
        category: query.category,
        isAnswerable: query.facts.length > 0,
        hasMustHave: query.facts.some(documents =>
          documents.some(id => told.has(entryByDocument.get(id) ?? id)),
        ),
        isSilent: text === '',
        tokens,
        ms,
      })
    }
    return briefed
  })
}

interface BriefFigures {
  readonly prompts: number
  readonly mustHave: number | null
  readonly silentOnNegatives: number | null
  readonly silentOnAnswerable: number | null
  /** Of the briefs that are not silent. */
  readonly meanTokens: number
}

function figuresOf(prompts: readonly BriefedPrompt[]): BriefFigures {
  const answerable = prompts.filter(prompt => prompt.isAnswerable)
  const negatives = prompts.filter(prompt => !prompt.isAnswerable)
  const told = prompts.filter(prompt => !prompt.isSilent)
  return {
    prompts: prompts.length,
    mustHave: share(answerable, prompt => prompt.hasMustHave),
    silentOnNegatives: share(negatives, prompt => prompt.isSilent),
    silentOnAnswerable: share(answerable, prompt => prompt.isSilent),
    meanTokens: roundTo(0, told.reduce((sum, { tokens }) => sum + tokens, 0) / Math.max(1, told.length)),
  }
}

/** 1 for the first item, a half for the second, 0 when it is not among them. */
function placeOf(items: readonly { id?: string }[], isWanted: (id: string | undefined) => boolean): number {
  const at = items.findIndex(({ id }) => isWanted(id))
  return at === -1 ? 0 : 1 / (at + 1)
}

function profilesOf(prompts: readonly BriefedPrompt[]) {
  const answerable = prompts.filter(prompt => prompt.isAnswerable && prompt.profile !== 'default')
  return Object.fromEntries(
    [...new Set(answerable.map(prompt => prompt.profile))].sort().map(name => {
      const own = answerable.filter(prompt => prompt.profile === name)
      const mean = (value: (prompt: BriefedPrompt) => number) =>
        roundTo(4, own.reduce((sum, prompt) => sum + value(prompt), 0) / own.length)
      return [
        name,
        {
          prompts: own.length,
          mrr: mean(prompt => prompt.placed),
          mrrByDefault: mean(prompt => prompt.placedByDefault),
          told: mean(prompt => Number(prompt.placed > 0)),
          toldByDefault: mean(prompt => Number(prompt.placedByDefault > 0)),
        },
      ]
    }),
  )
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number | null {
  return items.length === 0 ? null : roundTo(3, items.filter(test).length / items.length)
}
