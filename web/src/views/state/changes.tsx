import { useWords } from '../../language/language.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { bySection, type Change } from './state-model.ts'
import { stateWords } from './words.ts'

const SIGNS = { added: '+', removed: '−', changed: '~' } as const
const VARIANTS = { added: 'good', removed: 'bad', changed: 'info' } as const

/** The differences between two bundles, with a sign and a word, not the colour alone. */
export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const words = useWords(stateWords)
  if (changes.length === 0) return <p className="soft">{words.noChanges}</p>
  return (
    <div className="stack">
      {bySection(changes).map(group => (
        <section key={group.section}>
          <h4>{words.sections[group.section]}</h4>
          <ul className="plain-list changes">
            {group.changes.map(({ change, text, before, why }) => (
              <li key={`${change} ${text}`} className={`change ${change}`}>
                <span className={`chip ${VARIANTS[change]}`}>
                  <span aria-hidden="true">{SIGNS[change]} </span>
                  {words.changeKinds[change]}
                </span>
                <div>
                  {before !== undefined && (
                    <div>
                      <del>{visibleText(before)}</del>
                    </div>
                  )}
                  <div>{change === 'removed' ? <del>{visibleText(text)}</del> : visibleText(text)}</div>
                  {why !== undefined && <div className="soft small">{visibleText(why)}</div>}
                </div>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
