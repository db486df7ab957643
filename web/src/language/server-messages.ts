/** A failure or a notice of the server, identified by its code. */
export interface ServerMessage {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

export interface MessageText {
  readonly text: string
  /** Empty if there is no next step. */
  readonly hint: string
  /** The server's own message, where it contains details that a fixed text cannot: a path, a field, the output of a program. */
  readonly detail: string | undefined
}

interface Portuguese {
  readonly failures: Readonly<Record<string, readonly [text: string, hint: string]>>
  readonly notices: Readonly<Record<string, string>>
  readonly specific: ReadonlySet<string>
}

let portuguese: Portuguese | undefined

/** The server writes English. Translations are loaded only when needed. */
export async function loadServerMessages(language: 'en' | 'pt'): Promise<void> {
  if (language === 'en' || portuguese !== undefined) return
  const [{ FAILURES_PT, SPECIFIC_FAILURES }, { NOTICES_PT }] = await Promise.all([
    import('./failures-pt.ts'),
    import('./notices-pt.ts'),
  ])
  portuguese = { failures: FAILURES_PT, notices: NOTICES_PT, specific: SPECIFIC_FAILURES }
}

/** The failure in the user's language. An unknown code, from a newer server, keeps the server's message. */
export function translateFailure(message: ServerMessage, language: 'en' | 'pt'): MessageText {
  const asIs = { text: message.message, hint: message.hint ?? '', detail: undefined }
  if (language === 'en' || portuguese === undefined) return asIs
  const [text, hint] = portuguese.failures[message.code] ?? []
  if (text === undefined) return asIs
  return {
    text,
    hint: hint ?? '',
    detail: portuguese.specific.has(message.code)
      ? [message.message, message.hint].join(' ').trim()
      : undefined,
  }
}

/** The notice in the user's language. Accepts codes of failures too. */
export function translateNotice(message: ServerMessage, language: 'en' | 'pt'): MessageText {
  const text = language === 'en' ? undefined : portuguese?.notices[message.code]
  return text === undefined ? translateFailure(message, language) : { text, hint: '', detail: undefined }
}

/** Text and hint on one line. */
export function oneLine({ text, hint }: MessageText): string {
  return hint === '' ? text : `${text} ${hint}`
}
