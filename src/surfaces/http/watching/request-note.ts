import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'

/** What its handlers know of a request: filled in while it runs, logged and counted at its end. */
export interface RequestNote {
  /** By which a line of the log is found again: the client's own, where it sent a sane one. */
  readonly id: string
  /** Of the table of routes: one of a few, whatever was asked for. */
  route?: string
  isStream?: boolean
  /** The code of the failure that it was answered with. */
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

/** Adds to what is known of the current request. A request without a socket (a test) has no such note. */
export function noteRequest({ env }: Context, known: Partial<Omit<RequestNote, 'id'>>): void {
  const { incoming } = (env ?? {}) as { incoming?: IncomingMessage }
  const note = incoming === undefined ? undefined : noteByRequest.get(incoming)
  if (note !== undefined) Object.assign(note, known)
}
