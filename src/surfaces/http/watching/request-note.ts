import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'

/** What is known of a request by whoever handles it: filled in on the way, told and counted at its end. */
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

/** Says of the request at hand what it turned out to be. One that came through no socket (a test) is nobody's. */
export function noteRequest({ env }: Context, known: Partial<Omit<RequestNote, 'id'>>): void {
  const { incoming } = (env ?? {}) as { incoming?: IncomingMessage }
  const note = incoming === undefined ? undefined : noteByRequest.get(incoming)
  if (note !== undefined) Object.assign(note, known)
}
