import { newEntryId, timeOfId } from '../../kernel/model/entry-id.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import type { ProjectRow } from './project-row.ts'

const ONE_MINUTE_MS = 60_000

/**
 * Ids never repeat and never go back, also when the clock of one of several servers does: the last ones are in the project's row. The last by
 * date too: two writes of one minute would otherwise share a moment, and a session lose the order that its neighbours are found by.
 */
export class IdMaker {
  lastMs: number
  lastDatedMs: number
  readonly #issued = new Set<string>()
  readonly #clock: Clock

  constructor({ last_id_ms, last_dated_ms }: Pick<ProjectRow, 'last_id_ms' | 'last_dated_ms'>, clock: Clock) {
    this.lastMs = last_id_ms
    this.lastDatedMs = last_dated_ms
    this.#clock = clock
  }

  /** By the clock, or by an entry's own date: then entries of the same minute keep the order they came in. */
  make(dateMs?: number): string {
    for (;;) {
      const id = dateMs === undefined ? this.#byClock() : this.#byDate(dateMs)
      if (this.#issued.has(id)) continue
      this.#issued.add(id)
      return id
    }
  }

  #byClock(): string {
    const id = this.#newId(this.#clock.nowMs(), this.lastMs)
    this.lastMs = timeOfId(id) ?? this.lastMs
    return id
  }

  #byDate(dateMs: number): string {
    const isSameMinute = this.lastDatedMs >= dateMs && this.lastDatedMs < dateMs + ONE_MINUTE_MS
    const id = this.#newId(dateMs, isSameMinute ? this.lastDatedMs : 0)
    this.lastDatedMs = timeOfId(id) ?? dateMs
    return id
  }

  #newId(nowMs: number, lastMs: number): string {
    return newEntryId({ nowMs, lastMs, random: bound => this.#clock.random(bound) })
  }
}
