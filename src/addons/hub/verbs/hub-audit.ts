import * as v from 'valibot'
import { AUDIT_OUTCOMES } from '../../../kernel/model/hub.ts'
import { count } from '../../../verbs/operation.ts'
import { parseSince } from '../decide/audit-time.ts'
import { auditSchema, defineHubOperation, hubText } from './hub-operation.ts'
import { auditView } from './hub-views.ts'

const RECORDS = 100
const MAX_RECORDS = 1_000

export const hubAuditOperation = defineHubOperation({
  name: 'hub audit',
  group: 'Hub',
  agent: 'reads',
  hubRoute: { at: 'GET /api/hub/audit', scope: 'admin' },
  summary: 'Show who did what on a hub, and what was refused',
  description:
    'Every change, every administrative action and every refusal, newest first. Reads are not recorded. Records expire after 180 days, or when there are more than a million.',
  positionals: [],
  input: v.object({
    project: v.optional(hubText('Only of this project')),
    principal: v.optional(hubText('Only of this user or agent')),
    since: v.optional(hubText('Only since then: 2026-03-16, 2026-03-16T10:00, or 24h, 7d, 2w ago')),
    outcome: v.optional(
      v.pipe(
        v.picklist(AUDIT_OUTCOMES, `one of ${AUDIT_OUTCOMES.join(', ')}`),
        v.description('Only completed actions, or only refused ones'),
      ),
    ),
    before: v.optional(count('Only records before this number: the next page', Number.MAX_SAFE_INTEGER)),
    limit: v.optional(count(`Maximum number of records (default ${RECORDS})`, MAX_RECORDS)),
  }),
  output: v.object({ records: v.array(auditSchema) }),
  examples: [
    { command: 'cairn hub audit --principal ci-bot --since 7d', does: 'what an agent did in a week' },
    { command: 'cairn hub audit --project payments-api', does: 'what happened in one project' },
  ],
  async runOn(desk, { project, principal, since, outcome, before, limit = RECORDS }) {
    const records = await desk.audit({
      ...(project !== undefined && { project }),
      ...(principal !== undefined && { principal }),
      ...(since !== undefined && { sinceMs: parseSince(since, desk.nowMs()) }),
      ...(outcome !== undefined && { outcome }),
      ...(before !== undefined && { before }),
      limit,
    })
    return { records: records.map(auditView) }
  },
})
