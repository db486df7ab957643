import { type Messages, useWords } from '../language/language.tsx'
import { visibleText } from './visible-text.ts'
import { WithCode } from './with-code.tsx'

const en = { title: 'This needs a look:' }
const problemWords: Messages<typeof en> = { en, pt: { title: 'Isto precisa de atenção:' } }

export interface Problem {
  readonly code: string
  readonly path: string
  readonly line?: number
  readonly message: string
  readonly hint: string
}

/** Files and lines that could not be used, with what to do about each. Nothing where there are none. */
export function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  const words = useWords(problemWords)
  if (problems.length === 0) return null
  return (
    <div className="notice warn">
      <strong>{words.title}</strong>
      <ul className="problems">
        {problems.map(({ code, path, line, message, hint }) => (
          <li key={`${code} ${path} ${line ?? ''} ${message}`}>
            <code>{visibleText(line === undefined ? path : `${path}:${line}`)}</code> {visibleText(message)}{' '}
            <WithCode text={hint} />
          </li>
        ))}
      </ul>
    </div>
  )
}
