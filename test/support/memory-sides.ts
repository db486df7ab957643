import type { LinkState, StateChange } from '../../src/addons/link/decide/link-state.ts'
import type { Agreed, Incoming } from '../../src/addons/link/decide/plan-incoming.ts'
import { planPush, refuseUnfit } from '../../src/addons/link/decide/plan-push.ts'
import type { HubClient } from '../../src/addons/link/decide/ports.ts'
import {
  type FeedPage,
  NO_DOCUMENTS,
  type Push,
  type PushAnswer,
  readCursor,
  type SharedDocument,
  writeCursor,
} from '../../src/addons/link/decide/protocol.ts'
import { printOfEntry } from '../../src/addons/link/decide/shared-entry.ts'
import type { HadQuestion, LocalChanges, LocalVault, VaultView } from '../../src/addons/link/local-vault.ts'
import type { Entry } from '../../src/kernel/model/entry.ts'
import { textHash } from '../../src/kernel/system/content-hash.ts'

/** Hub, vault and link state as maps, for stories of which thousands are played. The real ones have tests of their own. */
export const print = (text: string) => textHash(text)
const printOr = (entry: Entry | null | undefined) => (entry ? printOfEntry(entry, print) : null)

export class MemoryHub implements HubClient {
  readonly entries = new Map<string, Entry>()
  revision = 0
  readonly documents: Record<SharedDocument, string | null> = { ...NO_DOCUMENTS }
  #changes = new Map<string, Incoming>()
  #history: { id: string; print: string | null; revision: number }[] = []
  #answers = new Map<string, PushAnswer | 'given up'>()

  async hello() {
    return { protocol: 1, identity: 'hub', revision: this.revision, nowMs: 0 }
  }

  async pull({ cursor, limit, documents }: Parameters<HubClient['pull']>[0]): Promise<FeedPage> {
    const place = readCursor(cursor ?? '0') ?? { revision: 0 }
    const isAfter = ({ revision, id }: Incoming) =>
      revision > place.revision || (place.id !== undefined && revision === place.revision && id > place.id)
    const waiting = [...this.#changes.values()]
      .filter(isAfter)
      .sort((a, b) => a.revision - b.revision || (a.id < b.id ? -1 : 1))
    const entries = waiting.slice(0, limit)
    const last = entries.at(-1)
    const isLast = waiting.length <= limit
    return {
      identity: 'hub',
      revision: this.revision,
      cursor:
        isLast || last === undefined
          ? writeCursor({ revision: this.revision })
          : writeCursor({ revision: last.revision, id: last.id }),
      isLast,
      entries,
      documents: isLast
        ? (Object.keys(this.documents) as SharedDocument[]).flatMap(name => {
            const body = this.documents[name]
            return (body === null ? null : print(body)) === documents[name] ? [] : [{ name, body }]
          })
        : [],
    }
  }

  async versions(questions: Parameters<HubClient['versions']>[0]) {
    return questions.map(({ id, print: asked, after }) =>
      this.#history.some(each => each.id === id && each.revision > after && each.print === asked),
    )
  }

  async push(push: Push): Promise<PushAnswer> {
    const known = this.#answers.get(push.id)
    if (known === 'given up') throw new Error('given up')
    if (known !== undefined) return known
    const before = this.revision
    const { outcomes, changes } = planPush(push.entries, id => this.entries.get(id), {
      print,
      refused: refuseUnfit(push.entries, () => false),
    })
    const documents = push.documents.map(({ name, expected, body }) => {
      const now = this.documents[name]
      if (now === body) return { name, outcome: 'already' as const }
      if ((now === null ? null : print(now)) !== expected)
        return { name, outcome: 'conflict' as const, body: now }
      this.documents[name] = body
      return { name, outcome: 'accepted' as const }
    })
    if (changes.length > 0 || documents.some(({ outcome }) => outcome === 'accepted')) this.revision++
    for (const { before: was, after, formerly } of changes) {
      const id = (after ?? was)?.id ?? ''
      if (after === null) this.entries.delete(id)
      else this.entries.set(id, after)
      this.#changes.set(id, { id, entry: after, revision: this.revision })
      for (const version of [printOr(after), ...(formerly ?? [])])
        this.#history.push({ id, print: version, revision: this.revision })
    }
    const answer = { before, revision: this.revision, entries: outcomes, documents }
    this.#answers.set(push.id, answer)
    return answer
  }

  async giveUp(id: string) {
    const known = this.#answers.get(id)
    if (known === undefined) this.#answers.set(id, 'given up')
    return known === 'given up' ? undefined : known
  }
}

export class MemoryVault implements LocalVault {
  readonly entryById = new Map<string, Entry>()
  readonly bodies: Record<SharedDocument, string | null> = { ...NO_DOCUMENTS }
  readonly history = new Map<string, (string | null)[]>()
  readonly #newId: () => string
  #records = 0

  constructor(newId: () => string) {
    this.#newId = newId
  }

  put(id: string, entry: Entry | null): void {
    if (entry === null) this.entryById.delete(id)
    else this.entryById.set(id, entry)
    this.history.set(id, [...(this.history.get(id) ?? []), printOr(entry)])
    this.#records++
  }

  async *entries() {
    yield [...this.entryById.values()]
  }

  async find(ids: readonly string[]) {
    return new Map(ids.flatMap(id => (this.entryById.has(id) ? [[id, this.entryById.get(id) as Entry]] : [])))
  }

  async documents() {
    return { ...this.bodies }
  }

  async write(decide: (view: VaultView) => Promise<LocalChanges | null>) {
    const changes = await decide({
      find: async id => this.entryById.get(id),
      newId: this.#newId,
      document: async name => this.bodies[name],
    })
    if (changes === null) return null
    for (const { before, after } of changes.entries) this.put((after ?? before)?.id ?? '', after)
    for (const { name, body } of changes.documents) this.bodies[name] = body
    return `record ${++this.#records}`
  }

  async hadSince(asked: readonly HadQuestion[]) {
    return new Set(
      asked.filter(question => hadIt(this.history.get(question.id) ?? [], question)).map(q => q.id),
    )
  }

  async formerly(asked: Parameters<LocalVault['formerly']>[0]) {
    return new Map(asked.map(question => [question.id, versionsSince(this.history, question)]))
  }

  async lastRecord() {
    return this.#records === 0 ? null : `record ${this.#records}`
  }
}

function versionsSince(
  history: ReadonlyMap<string, readonly (string | null)[]>,
  { id, agreed }: Omit<HadQuestion, 'print'>,
): string[] {
  const versions: string[] = []
  for (const version of [...(history.get(id) ?? [])].reverse()) {
    if (version === agreed) break
    if (version !== null) versions.push(version)
  }
  return versions
}

function hadIt(history: readonly (string | null)[], { print: asked, agreed }: HadQuestion): boolean {
  for (const version of [...history].reverse()) {
    if (version === asked) return true
    if (agreed !== undefined && version === agreed) return false
  }
  return false
}

export class MemoryState implements LinkState {
  #agreed = new Map<string, Agreed>()
  #documents: Record<SharedDocument, string | null> = { ...NO_DOCUMENTS }
  #cursor: string | null = null
  #pending: Push | undefined
  #settledAt: string | null = null

  open() {
    // There is one hub.
  }
  close() {
    // Nothing is held.
  }
  cursor() {
    return this.#cursor
  }
  agreed(ids: readonly string[]) {
    return new Map(ids.flatMap(id => (this.#agreed.has(id) ? [[id, this.#agreed.get(id) as Agreed]] : [])))
  }
  prints() {
    return new Map([...this.#agreed].map(([id, { print: own }]) => [id, own]))
  }
  documents() {
    return { ...this.#documents }
  }
  pending() {
    return this.#pending
  }
  settledAt() {
    return this.#settledAt
  }
  keep({ cursor, agreed = [], documents = [], pending, settledAt, anew }: StateChange) {
    if (anew) {
      this.#agreed.clear()
      this.#documents = { ...NO_DOCUMENTS }
      this.#cursor = null
      this.#pending = undefined
      this.#settledAt = null
    }
    if (cursor !== undefined) this.#cursor = cursor
    if (settledAt !== undefined) this.#settledAt = settledAt
    if (pending !== undefined) this.#pending = pending ?? undefined
    for (const [id, own] of agreed) {
      if (own === undefined) this.#agreed.delete(id)
      else this.#agreed.set(id, own)
    }
    for (const [name, body] of documents) this.#documents[name] = body
  }
}
