import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change } from '../../kernel/model/journal.ts'
import { versionHash } from '../../kernel/system/digest.ts'
import { PROJECT_TEXT } from '../../kernel/system/paths.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { StoreView } from '../../kernel/vault/ports.ts'
import type { Incoming } from './decide/plan-incoming.ts'
import { planPush, refuseUnfit } from './decide/plan-push.ts'
import type { FeedPorts } from './decide/ports.ts'
import {
  type DocumentOutcome,
  type Documents,
  type FeedPage,
  type PullQuestion,
  type Push,
  type PushAnswer,
  type PushedDocument,
  readCursor,
  SHARED_DOCUMENTS,
  writeCursor,
} from './decide/protocol.ts'
import { readCuration, sharedCuration } from './decide/shared-documents.ts'
import { bytesOf } from './decide/shared-entry.ts'
import { isSoundDocument } from './decide/sound-document.ts'
import { textOf } from './sides.ts'

/** Limit for the entries of one page: a clone bounds the size of an answer and waits half a minute for it. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024

/** Changes on the hub after a cursor, as one page. */
export async function givePage(
  memory: Memory & FeedPorts,
  { cursor, limit, documents }: PullQuestion,
): Promise<FeedPage> {
  const place = readCursor(cursor ?? '0')
  if (place === undefined) throw notOurs()
  const { identity } = await memory.hubFeed.hello()
  const { revision, changes: found } = await memory.hubFeed.changesAfter(place, limit)
  const changes = asManyAsFit(found)
  const last = changes.at(-1)
  const isLast = changes.length < limit && changes.length === found.length
  const bodies = isLast ? await sharedBodies(memory) : undefined
  return {
    identity,
    revision,
    cursor:
      isLast || last === undefined
        ? writeCursor({ revision })
        : writeCursor({ revision: last.revision, id: last.id }),
    isLast,
    entries: changes,
    documents:
      bodies === undefined
        ? []
        : SHARED_DOCUMENTS.filter(name => printOf(bodies[name]) !== documents[name]).map(name => ({
            name,
            body: bodies[name],
          })),
  }
}

/** At least one, otherwise no clone could get past it. */
function asManyAsFit(changes: readonly Incoming[]): readonly Incoming[] {
  let bytes = 0
  const end = changes.findIndex(({ entry }, at) => {
    bytes += bytesOf(entry)
    return at > 0 && bytes > MAX_PAGE_BYTES
  })
  return end === -1 ? changes : changes.slice(0, end)
}

/** Applied once, however often it arrives, as one record of the journal. */
export async function receivePush(memory: Memory & FeedPorts, push: Push): Promise<PushAnswer> {
  const { hubFeed } = memory
  if ((await hubFeed.hello()).identity !== push.identity) throw meantForAnother()
  const options = redactionOptions(await memory.config())
  const holdsSecret = (text: string) => redact(text, options).redacted.length > 0
  const refused = refuseUnfit(push.entries, entry => holdsSecret(textOf(entry)))
  let answer: PushAnswer | undefined
  await memory.store.write(memory.actor, async view => {
    const known = await hubFeed.answered(push.id)
    if (known === 'given up') throw givenUp()
    answer = known
    if (known !== undefined) return null
    const standing = await view.findRestorable(push.entries.map(({ id }) => id))
    const { outcomes, changes } = planPush(push.entries, id => standing.get(id)?.entry, {
      print: versionHash,
      refused,
    })
    const documents = await planDocuments(memory, view, push.documents, holdsSecret)
    const all: Change[] = [...changes, ...documents.changes]
    const before = await hubFeed.revision()
    answer = {
      before,
      revision: all.length === 0 ? before : before + 1,
      entries: outcomes,
      documents: documents.outcomes,
    }
    await hubFeed.keepAnswer(push.id, answer)
    return all.length === 0 ? null : { action: 'sync', changes: all, batch: push.batch }
  })
  if (answer === undefined) throw new Error('a push is answered')
  return answer
}

/** The stored answer to a push; if it has not arrived, it will be rejected. */
export async function giveUpPush(
  { store, hubFeed }: Memory & FeedPorts,
  id: string,
): Promise<PushAnswer | undefined> {
  return store.exclusively(async () => {
    const known = await hubFeed.answered(id)
    if (known === undefined) await hubFeed.keepAnswer(id, 'given up')
    return known === 'given up' ? undefined : known
  })
}

async function sharedBodies(memory: Memory): Promise<Documents> {
  return {
    'curation.json': sharedCuration(await memory.store.readDocument('curation.json'), () => false),
    '_project.md': (await memory.projectText()) ?? null,
  }
}

async function planDocuments(
  memory: Memory,
  view: StoreView,
  pushed: readonly PushedDocument[],
  holdsSecret: (text: string) => boolean,
): Promise<{ readonly outcomes: readonly DocumentOutcome[]; readonly changes: readonly Change[] }> {
  const outcomes: DocumentOutcome[] = []
  const changes: Change[] = []
  if (pushed.length === 0) return { outcomes, changes }
  const bodies = await sharedBodies(memory)
  for (const { name, expected, body } of pushed) {
    const now = bodies[name]
    if (now === body) outcomes.push({ name, outcome: 'already' })
    else if (!isSoundDocument(name, body)) outcomes.push({ name, outcome: 'refused', reason: 'unreadable' })
    else if (body !== null && holdsSecret(body)) outcomes.push({ name, outcome: 'refused', reason: 'secret' })
    else if (printOf(now) !== expected) outcomes.push({ name, outcome: 'conflict', body: now })
    else {
      const change = await documentChange(view, name, body)
      if (change === undefined) outcomes.push({ name, outcome: 'refused', reason: 'unreadable' })
      else {
        outcomes.push({ name, outcome: 'accepted' })
        changes.push(change)
      }
    }
  }
  return { outcomes, changes }
}

/** undefined: not a valid document of that kind. */
async function documentChange(
  view: StoreView,
  name: PushedDocument['name'],
  body: string | null,
): Promise<Change | undefined> {
  if (name === '_project.md')
    return {
      type: 'file',
      path: PROJECT_TEXT,
      before: (await view.readFile(PROJECT_TEXT)) ?? null,
      after: body,
    }
  const before = await view.readDocument(name)
  try {
    return { type: 'document', name, before, after: readCuration(body ?? '{"version":1,"aliases":{}}') }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

function printOf(body: string | null): string | null {
  return body === null ? null : versionHash(body)
}

function notOurs(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: 'The cursor is not valid on this hub.',
    hint: 'Leave it out to begin from the start.',
  })
}

function meantForAnother(): CairnError {
  return new CairnError({
    code: 'hub_refused',
    message: 'This push is for another project; nothing was stored.',
    hint: '`cairn link` shows which one is linked; `cairn link <hub-url>` links this one.',
  })
}

function givenUp(): CairnError {
  return new CairnError({
    code: 'hub_refused',
    message: 'The sender gave up this push before it arrived, and will send it again.',
    hint: 'Nothing has to be done.',
  })
}
