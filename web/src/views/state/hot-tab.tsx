import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Meter } from '../../ui/meter.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { WithCode } from '../../ui/with-code.tsx'
import { stateWords } from './words.ts'

/** The rule files of every session, and their budgets. */
export function HotTab() {
  const words = useWords(stateWords)
  const hot = useAnswer('hot', { rules: true })
  const lint = useAnswer('hotLint', {})
  return (
    <div className="stack">
      <p className="soft">{words.hotAbout}</p>
      <AnswerView answer={hot}>
        {({ folder, files, totals }) =>
          files.length === 0 ? (
            <div className="panel stack">
              <h2>{words.noHotTitle}</h2>
              <p>
                <WithCode text={words.noHot(folder)} />
              </p>
            </div>
          ) : (
            <>
              <section className="panel stack">
                <h2>{words.inAll}</h2>
                <Budget
                  label={words.lines}
                  value={totals.lines}
                  max={totals.maxLines}
                  unit={words.linesUnit}
                />
                <Budget
                  label={words.tokens}
                  value={totals.tokens}
                  max={totals.maxTokens}
                  unit={words.tokensUnit}
                />
              </section>
              <ul className="plain-list hot-files">
                {files.map(file => (
                  <li key={file.path} className="panel stack">
                    <h3>{visibleText(file.path)}</h3>
                    {file.budget === null ? (
                      <p className="soft">{words.noBudget(file.lines)}</p>
                    ) : (
                      <Budget
                        label={`${words.lines}: ${file.path}`}
                        value={file.lines}
                        max={file.budget}
                        unit={words.linesUnit}
                      />
                    )}
                    <div className="row small soft">
                      <span>
                        {file.tokens} {words.tokensUnit}
                      </span>
                      {file.host !== undefined && <span className="chip">{file.host}</span>}
                      {!file.always && <span>{words.notAlways}</span>}
                      {file.links.map(({ host, path, state }) => (
                        <span key={path} className="chip" title={path}>
                          {host}: {state}
                        </span>
                      ))}
                    </div>
                    {file.rules.length > 0 && (
                      <details>
                        <summary>{words.rules(file.rules.length)}</summary>
                        <ul>
                          {file.rules.map(rule => (
                            <li key={rule.name}>{visibleText(rule.text)}</li>
                          ))}
                        </ul>
                      </details>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </AnswerView>
      <AnswerView answer={lint}>
        {({ passed, findings, advice }) => (
          <section className="panel stack">
            <h2>{words.findings}</h2>
            <p>
              <span className={`chip ${passed ? 'good' : 'bad'}`}>
                {passed ? words.lintPassed : words.lintFailed}
              </span>
            </p>
            <ul className="plain-list items">
              {findings.map(({ level, code, path, line, message, hint }) => (
                <li key={`${code} ${path} ${line ?? ''} ${message}`}>
                  <span className={`chip ${level === 'error' ? 'bad' : 'warn'}`}>{words.levels[level]}</span>{' '}
                  <code>{visibleText(line === undefined ? path : `${path}:${line}`)}</code>{' '}
                  {visibleText(message)}
                  <div className="soft">
                    <WithCode text={hint} />
                  </div>
                </li>
              ))}
            </ul>
            <h3>{words.advice}</h3>
            {advice.sessions < advice.needed ? (
              <p className="soft">{words.tooFew(advice.sessions, advice.needed)}</p>
            ) : (
              advice.demote.length + advice.promote.length === 0 && <p className="soft">{words.noAdvice}</p>
            )}
            <ul className="plain-list items">
              {advice.demote.map(({ rule, file, text, touched, sessions, to }) => (
                <li key={rule}>
                  <span className="chip warn">{words.demote}</span> {visibleText(text)}
                  <div className="soft small">{words.demoteWhy(file, touched, sessions, to)}</div>
                  <code className="small">cairn hot demote {rule}</code>
                </li>
              ))}
              {advice.promote.map(({ entry, text, told, sessions, file }) => (
                <li key={entry}>
                  <span className="chip good">{words.promote}</span>{' '}
                  <a href={linkToEntry(entry)}>{visibleText(text)}</a>
                  <div className="soft small">{words.promoteWhy(file, told, sessions)}</div>
                  <code className="small">cairn hot promote {entry}</code>
                </li>
              ))}
            </ul>
          </section>
        )}
      </AnswerView>
    </div>
  )
}

function Budget({
  label,
  value,
  max,
  unit,
}: {
  readonly label: string
  readonly value: number
  readonly max: number
  readonly unit: string
}) {
  const words = useWords(stateWords)
  const variant = value > max ? 'bad' : value > 0.85 * max ? 'warn' : 'good'
  return (
    <div className="hot-budget">
      <Meter
        label={label}
        value={value}
        max={max}
        text={words.ofBudget(value, max, unit)}
        variant={variant}
      />
      {value > max && <span className="chip bad">{words.over(value - max)}</span>}
    </div>
  )
}
