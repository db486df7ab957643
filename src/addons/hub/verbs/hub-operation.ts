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

/** Where a verb of the command line finds the database of a hub. */
export interface StoreGiven {
  readonly store?: string | undefined
  readonly storeFile?: string | undefined
}

export type OpenDesk = (
  given: StoreGiven,
) => Promise<{ readonly desk: HubDesk; readonly rows?: BackupRows; close(): Promise<void> }>

/** What an asker with a token has beside the desk. */
export interface AroundAsker {
  /** The memories that they may read, and no other. */
  readonly across: AcrossProjects
  readonly clock: Clock
}

/** A path of the hub itself, outside of its projects. */
export interface HubVerbRoute extends Pick<VerbRoute, 'name' | 'at'> {
  /** `read` is enough for every token; the others are needed for every project. */
  readonly scope: TokenScope
  /** The scope is needed for one project only: the caller then sees the tokens of that project alone (project-desk.ts). */
  readonly isOfAnyProject?: true
}

/** A verb over a hub instead of over a memory: a route of the hub, and a verb of the command line that goes to its database. */
export interface HubOperation<
  Input extends ObjectSchema = ObjectSchema,
  Output extends v.GenericSchema = v.GenericSchema,
> extends Operation<Input, Output> {
  readonly hubRoute?: HubVerbRoute
  /** `asker`: whoever's token it is; undefined: whoever reaches the database itself. */
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
      'The database of the hub, postgres://…; without it CAIRN_STORE is taken, which no process list shows',
    ),
  ),
  storeFile: v.optional(text('A file whose first line is that address')),
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
    message: 'This is asked of a hub, and this is the memory of one project.',
    hint: 'Start a hub with `cairn up --store postgres://…`.',
  })
}

const MAX_CHARACTERS = 200

/** A name or an id: PostgreSQL takes no NUL, and no other control belongs into one. */
export const hubText = (description: string) =>
  v.pipe(
    v.string(),
    v.maxLength(MAX_CHARACTERS, `at most ${MAX_CHARACTERS} characters`),
    v.check(value => !/\p{Cc}/u.test(value), 'no control characters'),
    v.description(description),
  )

const time = v.pipe(v.string(), v.description('UTC'))

export const grantSchema = v.object({
  project: v.pipe(v.string(), v.description('* is every project')),
  scope: v.picklist(SCOPES),
})

export const hubProjectSchema = v.object({
  name: v.string(),
  createdAt: time,
  archivedAt: v.pipe(
    v.nullable(v.string()),
    v.description('Nobody reaches it since then; null: it is in use'),
  ),
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
  requestsPerSecond: v.pipe(
    v.nullable(v.number()),
    v.description('null: as many as the server takes from a token'),
  ),
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
  principal: v.pipe(v.nullable(v.string()), v.description('null: nobody that is known')),
  token: v.nullable(v.string()),
  project: v.nullable(v.string()),
  action: v.string(),
  subject: v.nullable(v.string()),
  outcome: v.pipe(v.string(), v.description('done, or the code of the failure')),
})

export const timeText = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString()
