import type { ReactNode } from 'react'
import type { Answer } from '../api/use-answer.ts'
import { type Messages, useWords } from '../language/language.tsx'
import { FailureText, NoticeText } from './server-message.tsx'

const en = {
  loading: 'Loading …',
  failed: 'This could not be loaded',
  degraded: 'Results may be incomplete',
}
const answerViewWords: Messages<typeof en> = {
  en,
  pt: {
    loading: 'Carregando …',
    failed: 'Não foi possível carregar',
    degraded: 'Os resultados podem estar incompletos',
  },
}

const NOTHING: readonly string[] = []

interface Degraded {
  readonly degraded?: readonly { readonly code: string; readonly message: string }[]
}

/** Renders the answer of a route when it has loaded. A failed request is never shown as empty data. */
export function AnswerView<T>({
  answer,
  shownCodes = NOTHING,
  children,
}: {
  readonly answer: Answer<T>
  /** Codes of `degraded` notices that the view shows itself. */
  readonly shownCodes?: readonly string[]
  readonly children: (data: T) => ReactNode
}) {
  const words = useWords(answerViewWords)
  if (answer.state === 'loading') return <p className="soft">{words.loading}</p>
  const data = answer.data
  const degraded = ((data as Degraded | undefined)?.degraded ?? []).filter(
    ({ code }) => !shownCodes.includes(code),
  )
  return (
    <>
      {answer.state === 'failed' && (
        <div className="notice bad" role="alert">
          <strong>{words.failed}:</strong> <FailureText failure={answer.error} />
        </div>
      )}
      {degraded.length > 0 && (
        <div className="notice warn" role="status">
          {words.degraded}:{' '}
          {degraded.map(notice => (
            <NoticeText key={`${notice.code} ${notice.message}`} notice={notice} />
          ))}
        </div>
      )}
      {data !== undefined && children(data)}
    </>
  )
}
