import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'

/** What handlers record about a request while it runs; logged and counted at its end. */
export interface RequestNote {
  /** Identifies the line in the log: the client's own id if it sent a valid one. */
  readonly id: string
  /** From the table of routes, so there are few values whatever was requested. */
  route?: string
  isStream?: boolean
  /** The code of the failure in the answer. */
  refused?: string
  project?: string
  principal?: string
  /** The public part of the token. */
  token?: string
}

const noteByRequest = new WeakMap<IncomingMessage, RequestNote>()

export function beginNote(request: IncomingMessage, id: string): RequestNote {
  const note: RequestNote = { id }
  noteByRequest.set(request, note)
  return note
}

export function noteOf(request: IncomingMessage): RequestNote | undefined {
  return noteByRequest.get(request)
}

/** Adds to the note of the current request. A request without a socket (in a test) has none. */
export function noteRequest({ env }: Context, known: Partial<Omit<RequestNote, 'id'>>): void {
  const { incoming } = (env ?? {}) as { incoming?: IncomingMessage }
  const note = incoming === undefined ? undefined : noteByRequest.get(incoming)
  if (note !== undefined) Object.assign(note, known)
}
