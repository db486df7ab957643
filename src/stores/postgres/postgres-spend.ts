import { type DaySpend, judgeReservation, type SpendLog } from '../../features/learning/decide/spend-log.ts'
import { storable } from '../sql/entry-fields.ts'
import { lockProject } from './project-row.ts'
import type { Tenant } from './tenant.ts'

/** Calls stored for display; the cap needs only those of the day. */
const MAX_CALLS = 2_000

export function postgresSpend(tenant: Tenant): SpendLog {
  const spentOn = async (day: string): Promise<DaySpend> => {
    const row = await tenant.one<DaySpend>(
      `SELECT count(*)::int AS calls, coalesce(sum(c.input_tokens), 0)::bigint AS "inputTokens",
         coalesce(sum(c.output_tokens), 0)::bigint AS "outputTokens", coalesce(sum(c.micro_usd), 0) AS "microUsd"
       FROM model_call c WHERE c.project = $1 AND c.day = $2`,
      day,
    )
    return row ?? { calls: 0, inputTokens: 0, outputTokens: 0, microUsd: 0 }
  }
  return {
    reserve: call =>
      tenant.transaction(async () => {
        // The lock lasts until the call is recorded: no other reservation can happen in between.
        await lockProject(tenant)
        const spent = await spentOn(call.day)
        const refused = judgeReservation(call, spent)
        if (refused !== undefined) return refused
        const last = await tenant.one<{ id: number }>(
          'SELECT coalesce(max(c.id), 0)::bigint AS id FROM model_call c WHERE c.project = $1',
        )
        const id = (last?.id ?? 0) + 1
        await tenant.query(
          `INSERT INTO model_call (project, id, day, at, model, state, input_tokens, output_tokens, micro_usd)
           VALUES ($1, $2, $3, $4, $5, 'reserved', $6, $7, $8)`,
          id,
          call.day,
          call.at,
          call.model,
          call.inputTokens,
          call.outputTokens,
          call.microUsd,
        )
        await tenant.query(
          'DELETE FROM model_call c WHERE c.project = $1 AND c.id <= $2 AND c.day < $3',
          id - MAX_CALLS,
          call.day,
        )
        return { kind: 'reserved', id }
      }),

    async settle(id, { inputTokens, outputTokens, microUsd }) {
      await tenant.query(
        `UPDATE model_call c SET state = 'settled', input_tokens = $3, output_tokens = $4, micro_usd = $5
         WHERE c.project = $1 AND c.id = $2`,
        id,
        inputTokens,
        outputTokens,
        microUsd,
      )
    },

    async fail(id, { spent, message }) {
      const counts = spent === 'nothing' ? ', input_tokens = 0, output_tokens = 0, micro_usd = 0' : ''
      await tenant.query(
        `UPDATE model_call c SET state = 'failed', failure = $3${counts} WHERE c.project = $1 AND c.id = $2`,
        id,
        storable(message),
      )
    },

    spentOn,

    async lastFailure() {
      return tenant.one<{ at: string; model: string; message: string }>(
        `SELECT c.at, c.model, c.failure AS message FROM model_call c WHERE c.project = $1 AND c.state = 'failed' AND c.id >
           coalesce((SELECT max(s.id) FROM model_call s WHERE s.project = $1 AND s.state = 'settled'), 0) ORDER BY c.id DESC LIMIT 1`,
      )
    },
  }
}
