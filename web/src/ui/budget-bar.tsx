import { type Messages, useWords } from '../language/language.tsx'
import './budget-bar.css'

const en = {
  part: 'Part',
  items: 'Items',
  tokens: 'Tokens',
  around: 'headings and markers',
  left: 'unused',
  total: 'budget',
}
const budgetWords: Messages<typeof en> = {
  en,
  pt: {
    part: 'Parte',
    items: 'Itens',
    tokens: 'Tokens',
    around: 'títulos e marcadores',
    left: 'sem uso',
    total: 'orçamento',
  },
}

/** A narrower part has no room for its number. */
const NUMBERED_SHARE = 0.03

interface BudgetPart {
  readonly name: string
  readonly used: number
  readonly items: number
}

/**
 * A budget as a stacked bar, with the same numbers in a table below, so that no colour is needed to read it. `around` is what headings and
 * markers use.
 */
export function BudgetBar({
  label,
  total,
  used,
  parts,
}: {
  readonly label: string
  readonly total: number
  readonly used: number
  readonly parts: readonly BudgetPart[]
}) {
  const words = useWords(budgetWords)
  const around = used - parts.reduce((sum, part) => sum + part.used, 0)
  const whole = Math.max(1, total, used)
  const shareOf = (tokens: number) => `${(100 * Math.max(0, tokens)) / whole}%`
  return (
    <div className="budget">
      <div className="budget-bar" aria-hidden="true">
        {parts.map((part, at) => (
          <span key={part.name} className={`part-${at % 8}`} style={{ inlineSize: shareOf(part.used) }}>
            {part.used / whole >= NUMBERED_SHARE && at + 1}
          </span>
        ))}
        {around > 0 && <span className="around" style={{ inlineSize: shareOf(around) }} />}
      </div>
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{words.part}</th>
            <th scope="col">{words.items}</th>
            <th scope="col">{words.tokens}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part, at) => (
            <tr key={part.name}>
              <th scope="row">
                <span className={`swatch part-${at % 8}`}>{at + 1}</span> {part.name}
              </th>
              <td>{part.items}</td>
              <td>{part.used}</td>
            </tr>
          ))}
          {around > 0 && (
            <tr>
              <th scope="row">
                <span className="swatch around" /> {words.around}
              </th>
              <td />
              <td>{around}</td>
            </tr>
          )}
          <tr>
            <th scope="row">{words.left}</th>
            <td />
            <td>{Math.max(0, total - used)}</td>
          </tr>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.total}</th>
            <td />
            <td>{total}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
