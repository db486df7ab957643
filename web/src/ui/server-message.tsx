import { type Messages, useLanguage, useWords } from '../language/language.tsx'
import {
  type MessageText,
  type ServerMessage,
  translateFailure,
  translateNotice,
} from '../language/server-messages.ts'
import { WithCode } from './with-code.tsx'

const en = { original: 'Message from the server:' }
const serverMessageWords: Messages<typeof en> = { en, pt: { original: 'Mensagem do servidor:' } }

/** A failure and its next step. `next` overrides the step. */
export function FailureText({
  failure,
  next,
}: {
  readonly failure: ServerMessage
  readonly next?: string | undefined
}) {
  const { text, hint: translated, detail } = translateFailure(failure, useLanguage().language)
  const hint = next ?? translated
  return (
    <>
      <WithCode text={text} />
      {hint !== '' && (
        <div>
          <WithCode text={hint} />
        </div>
      )}
      <ServerDetail detail={detail} />
    </>
  )
}

/** A notice on one line. */
export function NoticeText({ notice }: { readonly notice: ServerMessage }) {
  const { text, hint, detail } = translateNotice(notice, useLanguage().language)
  return (
    <>
      <WithCode text={text} /> {hint !== '' && <WithCode text={hint} />}
      <ServerDetail detail={detail} />
    </>
  )
}

/** The original message of the server, for details. */
export function ServerDetail({ detail }: Pick<MessageText, 'detail'>) {
  const words = useWords(serverMessageWords)
  if (detail === undefined || detail === '') return null
  return (
    <div className="small server-detail">
      {words.original}{' '}
      <span lang="en">
        <WithCode text={detail} />
      </span>
    </div>
  )
}
