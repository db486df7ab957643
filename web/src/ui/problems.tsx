import { type Messages, useWords } from '../language/language.tsx'
import { NoticeText } from './server-message.tsx'
import { visibleText } from './visible-text.ts'

const en = { title: 'Problems found:' }
const problemWords: Messages<typeof en> = { en, pt: { title: 'Problemas encontrados:' } }

interface Problem {
  readonly code: string
  readonly path: string
  readonly line?: number
  readonly message: string
  readonly hint: string
}

/** Files and lines with problems, each with its next step. Renders nothing if there are none. */
export function Problems({
  problems,
  title,
}: {
  readonly problems: readonly Problem[]
  readonly title?: string
}) {
  const words = useWords(problemWords)
  if (problems.length === 0) return null
  return (
    <div className="notice warn">
      <strong>{title ?? words.title}</strong>
      <ul className="problems">
        {problems.map(problem => (
          <li key={`${problem.code} ${problem.path} ${problem.line ?? ''} ${problem.message}`}>
            <code>
              {visibleText(problem.line === undefined ? problem.path : `${problem.path}:${problem.line}`)}
            </code>{' '}
            <NoticeText notice={problem} />
          </li>
        ))}
      </ul>
    </div>
  )
}
