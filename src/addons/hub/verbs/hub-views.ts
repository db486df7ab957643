import type * as v from 'valibot'
import type { HubProject, HubToken, KnownPrincipal, StoredAuditRecord } from '../../../kernel/model/hub.ts'
import {
  type auditSchema,
  type hubProjectSchema,
  type hubTokenSchema,
  type principalSchema,
  timeText,
} from './hub-operation.ts'

export function projectView({
  name,
  createdMs,
  archivedMs,
}: HubProject): v.InferOutput<typeof hubProjectSchema> {
  return { name, createdAt: new Date(createdMs).toISOString(), archivedAt: timeText(archivedMs) }
}

export function tokenView(token: HubToken): v.InferOutput<typeof hubTokenSchema> {
  return {
    id: token.id,
    principal: token.principal,
    kind: token.kind,
    grants: token.grants,
    createdAt: new Date(token.createdMs).toISOString(),
    expiresAt: timeText(token.expiresMs),
    revokedAt: timeText(token.revokedMs),
    lastUsedAt: timeText(token.usedMs),
    requestsPerSecond: token.perSecond ?? null,
  }
}

export function principalView({
  name,
  kind,
  createdMs,
  disabledMs,
}: KnownPrincipal): v.InferOutput<typeof principalSchema> {
  return { name, kind, createdAt: new Date(createdMs).toISOString(), disabledAt: timeText(disabledMs) }
}

export function auditView(record: StoredAuditRecord): v.InferOutput<typeof auditSchema> {
  return {
    number: record.number,
    at: new Date(record.atMs).toISOString(),
    principal: record.principal ?? null,
    token: record.token ?? null,
    project: record.project ?? null,
    action: record.action,
    subject: record.subject ?? null,
    outcome: record.outcome,
  }
}
