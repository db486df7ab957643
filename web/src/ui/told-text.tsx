import { type Messages, useLanguage, useWords } from '../language/language.tsx'
import { type Told, type ToldText, toldFailure, toldNotice } from '../language/told.ts'
import { WithCode } from './with-code.tsx'

const en = { original: 'Message from the server:' }
const toldWords: Messages<typeof en> = { en, pt: { original: 'Mensagem do servidor:' } }

/** Why something failed and what to do next; `next` where the place knows better. */
export function FailureText({
  failure,
  next,
}: {
  readonly failure: Told
  readonly next?: string | undefined
}) {
  const { text, hint: told, detail } = toldFailure(failure, useLanguage().language)
  const hint = next ?? told
  return (
    <>
      <WithCode text={text} />
      {hint !== '' && (
        <div>
          <WithCode text={hint} />
        </div>
      )}
      <Detail detail={detail} />
    </>
  )
}

/** What was left out, or needs a look, on one line. */
export function NoticeText({ notice }: { readonly notice: Told }) {
  const { text, hint, detail } = toldNotice(notice, useLanguage().language)
  return (
    <>
      <WithCode text={text} /> {hint !== '' && <WithCode text={hint} />}
      <Detail detail={detail} />
    </>
  )
}

/** What the server said, for those who want to know more than the text by code says. */
export function Detail({ detail }: Pick<ToldText, 'detail'>) {
  const words = useWords(toldWords)
  if (detail === undefined || detail === '') return null
  return (
    <div className="small told-detail">
      {words.original}{' '}
      <span lang="en">
        <WithCode text={detail} />
      </span>
    </div>
  )
}
