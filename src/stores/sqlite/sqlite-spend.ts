import {
  type DaySpend,
  judgeReservation,
  type Reservation,
  type SpendLog,
} from '../../features/learning/decide/spend-log.ts'
import type { SqliteIndex } from './sqlite-index.ts'

/** Calls that are stored for inspection; the cap needs only those of the day. */
const MAX_CALLS = 2_000

export function sqliteSpend(index: () => SqliteIndex): SpendLog {
  const spentOn = (day: string): DaySpend => {
    const row = index()
      .statement(
        `SELECT count(*) AS calls, total(input_tokens) AS inputTokens, total(output_tokens) AS outputTokens,
           total(micro_usd) AS microUsd FROM model_call WHERE day = ?`,
      )
      .get(day) as DaySpend
    // A row of the driver is not a plain object.
    return { ...row }
  }
  return {
    async reserve(call) {
      let result: Reservation | undefined
      // The transaction takes the write lock before it reads: no other process can reserve in between.
      index().transaction(() => {
        const spent = spentOn(call.day)
        result = judgeReservation(call, spent)
        if (result !== undefined) return
        const { lastInsertRowid } = index()
          .statement(
            `INSERT INTO model_call (day, at, model, state, input_tokens, output_tokens, micro_usd)
             VALUES (?, ?, ?, 'reserved', ?, ?, ?)`,
          )
          .run(call.day, call.at, call.model, call.inputTokens, call.outputTokens, call.microUsd)
        result = { kind: 'reserved', id: Number(lastInsertRowid) }
        index()
          .statement('DELETE FROM model_call WHERE id <= ? AND day < ?')
          .run(Number(lastInsertRowid) - MAX_CALLS, call.day)
      })
      if (result === undefined) throw new Error('a reservation is made or refused')
      return result
    },

    async settle(id, { inputTokens, outputTokens, microUsd }) {
      index()
        .statement(
          `UPDATE model_call SET state = 'settled', input_tokens = ?, output_tokens = ?, micro_usd = ? WHERE id = ?`,
        )
        .run(inputTokens, outputTokens, microUsd, id)
    },

    async fail(id, { spent, message }) {
      const counts = spent === 'nothing' ? ', input_tokens = 0, output_tokens = 0, micro_usd = 0' : ''
      index()
        .statement(`UPDATE model_call SET state = 'failed', failure = ?${counts} WHERE id = ?`)
        .run(message, id)
    },

    spentOn: async day => spentOn(day),

    async lastFailure() {
      const row = index()
        .statement(
          `SELECT at, model, failure AS message FROM model_call WHERE state = 'failed' AND id >
             coalesce((SELECT max(id) FROM model_call WHERE state = 'settled'), 0) ORDER BY id DESC LIMIT 1`,
        )
        .get() as { at: string; model: string; message: string } | undefined
      return row && { ...row }
    },
  }
}
