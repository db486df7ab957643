import { existsSync, readFileSync } from 'node:fs'
import type { Bench, Library } from './bench.ts'
import { averageMetrics, type Judgement, judge } from './ranking-metrics.ts'
import { withTemporaryProject } from './temporary-project.ts'

const HITS = 50
const NAMED_HITS = 20

/** One question of LongMemEval (`longmemeval_s.json`, `longmemeval_oracle.json`) with the chats it is asked about. */
export interface LongMemQuestion {
  readonly question_id: string
  readonly question_type: string
  readonly question: string
  /** `2023/05/30 (Tue) 23:40` */
  readonly question_date: string
  readonly haystack_session_ids: readonly string[]
  readonly haystack_dates: readonly string[]
  readonly haystack_sessions: readonly (readonly LongMemTurn[])[]
  readonly answer_session_ids: readonly string[]
}

export interface LongMemTurn {
  readonly role: string
  readonly content: string
  readonly has_answer?: boolean
}

/**
 * The data is not ours to pass on: whoever has the file names it with --data. A question is asked in a project of its own;
 * every turn is an entry, in the session and on the day it was said. Questions that have no answer (`_abs`) are left out.
 */
export const longMemEvalBench: Bench = {
  name: 'longmemeval',
  summary:
    'which sessions and turns of LongMemEval are found (--data <its JSON file>, --entries <questions>)',
  async run({ library, dataFolder, entries, isWordsOnly, progress }) {
    if (!isLongMemFile(dataFolder))
      throw new Error(`--data names a JSON file of LongMemEval, not ${dataFolder}`)
    const questions = (JSON.parse(readFileSync(dataFolder, 'utf8')) as LongMemQuestion[])
      .filter(question => !question.question_id.endsWith('_abs'))
      .slice(0, entries)
    const judged: { type: string; sessions: Judgement; turns: Judgement | undefined }[] = []
    for (const [i, question] of questions.entries()) {
      progress(`longmemeval: ${i + 1} of ${questions.length}`)
      judged.push({ type: question.question_type, ...(await ask(library, question, isWordsOnly)) })
    }
    const summarise = (some: typeof judged) => ({
      questions: some.length,
      sessions: averageMetrics(some.map(({ sessions }) => sessions)),
      turns: averageMetrics(some.flatMap(({ turns }) => turns ?? [])),
    })
    const types = [...new Set(judged.map(({ type }) => type))].sort()
    const data = {
      overall: summarise(judged),
      types: Object.fromEntries(
        types.map(type => [type, summarise(judged.filter(one => one.type === type))]),
      ),
    }
    const row = (name: string, { questions: n, sessions, turns }: ReturnType<typeof summarise>) => [
      name,
      n,
      sessions['recall@5'],
      sessions['recall@10'],
      turns['recall@10'],
      turns.mrr,
    ]
    return {
      data,
      checks: [],
      tables: [
        {
          title: 'LongMemEval',
          rows: [
            ['', 'questions', 'sessions recall@5', 'sessions recall@10', 'turns recall@10', 'turns MRR'],
            row('overall', data.overall),
            ...Object.entries(data.types).map(([type, summary]) => row(`  ${type}`, summary)),
          ],
        },
      ],
    }
  },
}

export function isLongMemFile(place: string): boolean {
  return place.endsWith('.json') && existsSync(place)
}

async function ask(library: Library, question: LongMemQuestion, isWordsOnly: boolean) {
  return withTemporaryProject(async root => {
    const nowMs = momentOf(question.question_date)
    const memory = await library.openMemory({
      root,
      upkeep: 'never',
      ...(nowMs !== undefined && { now: () => nowMs }),
    })
    try {
      const turns = turnsOf(question)
      const { ids } = await memory.importEntries(turns.map(({ entry }) => entry))
      if (!isWordsOnly) await memory.embed()
      const { hits } = await memory.search(question.question, { limit: HITS })
      const sessionsFound = [...new Set(hits.map(({ entry }) => entry.session ?? ''))].slice(0, NAMED_HITS)
      const answers = turns.flatMap(({ hasAnswer }, i) => (hasAnswer && ids[i] ? [[ids[i]]] : []))
      return {
        sessions: judge(
          sessionsFound,
          question.answer_session_ids.map(session => [session]),
        ),
        turns:
          answers.length === 0
            ? undefined
            : judge(
                hits.slice(0, NAMED_HITS).map(({ id }) => id),
                answers,
              ),
      }
    } finally {
      await memory.close()
    }
  })
}

/** Turns without text, of which the data has some, are nothing to remember. */
export function turnsOf(question: LongMemQuestion) {
  return question.haystack_sessions.flatMap((session, i) => {
    const date = dateOf(question.haystack_dates[i] ?? '')
    const name = question.haystack_session_ids[i] ?? `session-${i}`
    return session
      .filter(({ content }) => content.trim() !== '')
      .map(({ role, content, has_answer }) => ({
        hasAnswer: has_answer === true,
        entry: {
          content: `${role}: ${content}`.slice(0, MAX_CHARACTERS),
          session: name,
          ...(date && { date }),
        },
      }))
  })
}

/** What one entry may hold; a longer turn is cut. */
const MAX_CHARACTERS = 4_000

function dateOf(text: string): string | undefined {
  const ms = momentOf(text)
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16)
}

function momentOf(text: string): number | undefined {
  const [, year, month, day, time = '00:00'] =
    /^(\d{4})\/(\d\d)\/(\d\d)(?: \(\w+\))?(?: (\d\d:\d\d))?$/.exec(text) ?? []
  const ms = Date.parse(`${year}-${month}-${day}T${time}Z`)
  return Number.isNaN(ms) ? undefined : ms
}
