import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { PRINCIPAL_KINDS, type Principal, SCOPES, type TokenScope } from '../../../kernel/model/hub.ts'
import type { Clock } from '../../../kernel/system/clock.ts'
import {
  defineOperation,
  type ObjectSchema,
  type Operation,
  type OperationContext,
  text,
  type VerbRoute,
} from '../../../verbs/operation.ts'
import type { AcrossProjects } from '../../across/decide/rooms.ts'
import type { BackupRows } from '../../backup/decide/backup-rows.ts'
import type { HubDesk } from '../hub-desk.ts'

/** How a CLI verb finds the database of a hub. */
export interface StoreGiven {
  readonly store?: string | undefined
  readonly storeFile?: string | undefined
}

export type OpenDesk = (
  given: StoreGiven,
) => Promise<{ readonly desk: HubDesk; readonly rows?: BackupRows; close(): Promise<void> }>

/** What a caller with a token has besides the admin API. */
export interface AroundAsker {
  /** Only the memories that they may read. */
  readonly across: AcrossProjects
  readonly clock: Clock
}

/** A path of the hub itself, outside of its projects. */
export interface HubVerbRoute extends Pick<VerbRoute, 'name' | 'at'> {
  /** `read` is enough with any token; the other scopes are needed for every project. */
  readonly scope: TokenScope
  /** The scope in one project is enough: the caller then sees only the tokens of that project (`projectDesk`). */
  readonly isOfAnyProject?: true
}

/** A verb of a hub instead of a memory: a route of the hub, and a CLI verb that connects to its database. */
export interface HubOperation<
  Input extends ObjectSchema = ObjectSchema,
  Output extends v.GenericSchema = v.GenericSchema,
> extends Operation<Input, Output> {
  readonly hubRoute?: HubVerbRoute
  /** `asker`: the owner of the token; undefined: a caller with database access. */
  runOn(
    desk: HubDesk,
    input: v.InferOutput<Input>,
    asker: Principal | undefined,
    around?: AroundAsker,
  ): Promise<v.InferOutput<Output>>
}

/** The same with `--store`, as it is typed. */
export interface HubCommand<
  Input extends ObjectSchema = ObjectSchema,
  Output extends v.GenericSchema = v.GenericSchema,
> extends Operation<Input, Output> {
  runWith(
    open: OpenDesk,
    input: Readonly<Record<string, unknown>>,
    context?: OperationContext,
  ): Promise<unknown>
}

export function defineHubOperation<Input extends ObjectSchema, Output extends v.GenericSchema>(
  given: Omit<HubOperation<Input, Output>, 'run'>,
): HubOperation<Input, Output> {
  return { ...given, ...defineOperation({ ...given, run: onlyOnHub }) }
}

export const storeFields = {
  store: v.optional(
    text(
      'The database of the hub, postgres://…; default: CAIRN_STORE, which is not visible in process lists',
    ),
  ),
  storeFile: v.optional(text('A file with that address in its first line')),
}

export function asCommand<Output extends v.GenericSchema>(
  operation: HubOperation<ObjectSchema, Output>,
): HubCommand<ObjectSchema, Output> {
  return {
    ...operation,
    input: v.object({ ...operation.input.entries, ...storeFields }),
    async runWith(open, { store, storeFile, ...input }) {
      const { desk, close } = await open({
        store: store as string | undefined,
        storeFile: storeFile as string | undefined,
      })
      try {
        return await operation.runOn(desk, v.parse(operation.input, input), undefined)
      } finally {
        await close()
      }
    },
  }
}

export function isHubCommand(operation: Operation): operation is HubCommand {
  return 'runWith' in operation
}

export async function onlyOnHub(): Promise<never> {
  throw new CairnError({
    code: 'invalid_input',
    message: 'This command needs a hub, and this is the memory of one project.',
    hint: 'Start a hub with `cairn up --store postgres://…`.',
  })
}

const MAX_CHARACTERS = 200

/** A name or an id: PostgreSQL rejects NUL, and other control characters make no sense. */
export const hubText = (description: string) =>
  v.pipe(
    v.string(),
    v.maxLength(MAX_CHARACTERS, `at most ${MAX_CHARACTERS} characters`),
    v.check(value => !/\p{Cc}/u.test(value), 'no control characters'),
    v.description(description),
  )

const time = v.pipe(v.string(), v.description('UTC'))

const grantSchema = v.object({
  project: v.pipe(v.string(), v.description('* means every project')),
  scope: v.picklist(SCOPES),
})

export const hubProjectSchema = v.object({
  name: v.string(),
  createdAt: time,
  archivedAt: v.pipe(v.nullable(v.string()), v.description('Archived since then; null: in use')),
})

export const hubTokenSchema = v.object({
  id: v.pipe(v.string(), v.description('The public part of the token')),
  principal: v.string(),
  kind: v.picklist(PRINCIPAL_KINDS),
  grants: v.pipe(v.array(grantSchema), v.readonly()),
  createdAt: time,
  expiresAt: v.nullable(v.string()),
  revokedAt: v.nullable(v.string()),
  lastUsedAt: v.pipe(v.nullable(v.string()), v.description('To the minute')),
  requestsPerSecond: v.pipe(v.nullable(v.number()), v.description('null: the default limit of the server')),
})

export const principalSchema = v.object({
  name: v.string(),
  kind: v.picklist(PRINCIPAL_KINDS),
  createdAt: time,
  disabledAt: v.nullable(v.string()),
})

export const auditSchema = v.object({
  number: v.pipe(v.number(), v.description('Grows with time; `before` takes it')),
  at: time,
  principal: v.pipe(v.nullable(v.string()), v.description('null: unknown')),
  token: v.nullable(v.string()),
  project: v.nullable(v.string()),
  action: v.string(),
  subject: v.nullable(v.string()),
  outcome: v.pipe(v.string(), v.description('done, or the error code')),
})

export const timeText = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString()
