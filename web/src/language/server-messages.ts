/** Something that the server tells by a code: why it failed, or what it left out. */
export interface ServerMessage {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

export interface MessageText {
  readonly text: string
  /** Empty where there is no next step. */
  readonly hint: string
  /** The server's own words, where they name what a text by code cannot: a path, a field, what a program said. */
  readonly detail: string | undefined
}

interface Portuguese {
  readonly failures: Readonly<Record<string, readonly [text: string, hint: string]>>
  readonly notices: Readonly<Record<string, string>>
  readonly specific: ReadonlySet<string>
}

let portuguese: Portuguese | undefined

/** The server speaks English; its words in another language are loaded by those who read it. */
export async function loadServerMessages(language: 'en' | 'pt'): Promise<void> {
  if (language === 'en' || portuguese !== undefined) return
  const [{ FAILURES_PT, SPECIFIC_FAILURES }, { NOTICES_PT }] = await Promise.all([
    import('./failures-pt.ts'),
    import('./notices-pt.ts'),
  ])
  portuguese = { failures: FAILURES_PT, notices: NOTICES_PT, specific: SPECIFIC_FAILURES }
}

/** Why something failed, in the reader's language. A code that this page does not know, of a newer server, is told in the server's words. */
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

/** What was left out on the way to an answer, or needs a look; the code of a failure does as well. */
export function translateNotice(message: ServerMessage, language: 'en' | 'pt'): MessageText {
  const text = language === 'en' ? undefined : portuguese?.notices[message.code]
  return text === undefined ? translateFailure(message, language) : { text, hint: '', detail: undefined }
}

/** In one line, for where there is room for no more. */
export function oneLine({ text, hint }: MessageText): string {
  return hint === '' ? text : `${text} ${hint}`
}
