import type { Semantics } from '../../features/search/decide/ports.ts'
import { QUESTION_TOKENS } from '../../features/search/meaning.ts'
import type { LookedAt, ProjectName } from '../../kernel/model/across.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Degradation } from '../../kernel/model/search.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import type { AcrossProjects, AskedMeaning, OpenRoom, ReadableProjects, Room } from './decide/rooms.ts'

/** The vector of a query to several projects, from the embedder of the current one. Without it words decide, and a warning says why. */
export async function askedMeaning(
  semantics: Pick<Semantics, 'isOn' | 'embedder' | 'takeDegraded'>,
  question: string,
): Promise<AskedMeaning> {
  if (!(await semantics.isOn())) return { degraded: [] }
  try {
    const embedder = await semantics.embedder()
    const [vector] = (await embedder?.embed([question], { maxTokens: QUESTION_TOKENS })) ?? []
    if (embedder !== undefined && vector !== undefined)
      return { asked: { vector, model: embedder.model }, degraded: [] }
    return { degraded: semantics.takeDegraded() }
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    return { degraded: [{ code: error.code, message: `${error.message} Words alone decided.` }] }
  }
}

/** Options of a search over several projects. */
export interface VisitOptions {
  readonly clock: Clock
  /** Timeout: projects not reached by then are reported, and the answer has the others. */
  readonly withinMs: number
  readonly turn?: (() => Promise<void>) | undefined
  readonly onProgress?: ((done: number, total: number | undefined, what: string) => void) | undefined
  /** Only projects of these names or ids. */
  readonly only?: readonly string[] | undefined
}

export interface Visited {
  readonly project: ProjectName
  readonly room: OpenRoom
}

interface Note extends Degradation {
  readonly project: ProjectName
}

const MAX_NAMED = 5

/** One query to several memories. A memory that cannot be read, or is not reached in time, is reported and does not affect the others. */
export class Visit {
  readonly #asking: VisitOptions
  readonly #untilMs: number
  readonly #open: OpenRoom[] = []
  readonly #notes: Note[] = []
  readonly #unreached = new Set<string>()
  #searched = 0
  #closed = 0
  #standing: readonly Degradation[] = []
  #atOnce = 1
  #meaningOf: ReadableProjects['meaningOf'] = async () => ({ degraded: [] })

  constructor(asking: VisitOptions) {
    this.#asking = asking
    this.#untilMs = asking.clock.nowMs() + asking.withinMs
  }

  get isTimeUp(): boolean {
    return this.#asking.clock.nowMs() >= this.#untilMs
  }

  /** Opens every memory that may be read. The caller closes them. */
  async enter(projects: AcrossProjects): Promise<Visited[]> {
    const { rooms, closed, degraded, meaningOf } = await projects.readable()
    this.#meaningOf = meaningOf
    this.#closed = closed
    this.#standing = degraded
    this.#atOnce = projects.atOnce
    const meant = this.#meant(rooms)
    const entered = await this.each(meant, async room => {
      const open = await room.open()
      if (open === 'closed') {
        this.#closed += 1
        return open
      }
      this.#open.push(open)
      for (const degradation of open.degraded) this.note(room.project, degradation)
      return open
    })
    return entered.flatMap(({ item, result }) =>
      result === 'closed' ? [] : [{ project: item.project, room: result }],
    )
  }

  /** In the given order, within the time limit. */
  async each<T extends { readonly project: ProjectName }, R>(
    items: readonly T[],
    work: (item: T) => Promise<R>,
  ): Promise<{ readonly item: T; readonly result: R }[]> {
    const results: ({ readonly item: T; readonly result: R } | undefined)[] = []
    let next = 0
    const worker = async () => {
      for (let at = next++; at < items.length; at = next++) {
        const item = items[at]
        if (item === undefined) return
        if (this.isTimeUp) {
          this.#unreached.add(item.project.name)
          continue
        }
        try {
          results[at] = { item, result: await work(item) }
        } catch (error) {
          if (!(error instanceof CairnError)) throw error
          this.note(item.project, { code: error.code, message: error.message })
        }
        this.#asking.onProgress?.(at + 1, items.length, 'projects')
        await this.#asking.turn?.()
      }
    }
    await Promise.all(Array.from({ length: this.#atOnce }, worker))
    return results.filter(each => each !== undefined)
  }

  /** From the caller's embedder; undefined: there is none, and a warning says why. */
  async meaningOf(question: string): Promise<AskedMeaning['asked']> {
    const { asked, degraded } = await this.#meaningOf(question)
    this.#standing = [...this.#standing, ...degraded]
    return asked
  }

  /** Warnings about one project. */
  note(project: ProjectName, degradation: Degradation): void {
    this.#notes.push({ ...degradation, project })
  }

  searched(count: number): void {
    this.#searched = count
  }

  /** Warnings and counts of the search as a whole. */
  lookedAt(found: readonly ProjectName[]): LookedAt {
    const byId = new Map<string, ProjectName & { found: number }>()
    for (const project of found) {
      const known = byId.get(project.id)
      if (known === undefined) byId.set(project.id, { ...project, found: 1 })
      else known.found += 1
    }
    const projects = [...byId.values()].sort(
      (a, b) => Number(b.isHere) - Number(a.isHere) || b.found - a.found || (a.name < b.name ? -1 : 1),
    )
    return { projects, searched: this.#searched, closed: this.#closed, degraded: this.#degraded() }
  }

  async close(): Promise<void> {
    for (const room of this.#open.splice(0)) await room.close()
  }

  #meant(rooms: readonly Room[]): readonly Room[] {
    const { only = [] } = this.#asking
    if (only.length === 0) return rooms
    const meant = rooms.filter(({ project }) => only.includes(project.name) || only.includes(project.id))
    const missing = only.find(
      name => !rooms.some(({ project }) => project.name === name || project.id === name),
    )
    if (missing === undefined) return meant
    // A project that exists but may not be read is reported like one that does not exist.
    throw new CairnError({
      code: 'project_not_found',
      message: `There is no project "${missing.slice(0, 80)}" that this project may read.`,
      hint: 'Omit the projects: the answer names those with results.',
    })
  }

  /** One warning for each kind of problem: thirty projects with an old index are one message. */
  #degraded(): Degradation[] {
    const byCode = new Map<NoticeCode, Note[]>()
    for (const note of this.#notes) byCode.set(note.code, [...(byCode.get(note.code) ?? []), note])
    const told = [...byCode].map(([code, notes]): Degradation => {
      const names = namesOf(notes.map(({ project }) => project.name))
      return { code, message: `${names}: ${notes[0]?.message ?? ''}` }
    })
    if (this.#unreached.size > 0)
      told.push({
        code: 'across_time_up',
        message: `Timed out before searching ${namesOf([...this.#unreached])}.`,
      })
    return [...this.#standing, ...told]
  }
}

function namesOf(all: readonly string[]): string {
  const names = [...new Set(all)].sort()
  const shown = names.slice(0, MAX_NAMED).join(', ')
  return names.length <= MAX_NAMED ? shown : `${shown} and ${names.length - MAX_NAMED} more`
}
