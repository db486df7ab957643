import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'

/** A control with its label and a hint. The control receives the ids that it needs. */
export function Field({
  label,
  hint,
  isLabelHidden = false,
  children,
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly isLabelHidden?: boolean
  readonly children: (ids: { id: string; 'aria-describedby'?: string }) => ReactNode
}) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'unseen' : undefined}>
        {label}
      </label>
      {children({ id, ...(hint !== undefined && { 'aria-describedby': hintId }) })}
      {hint !== undefined && (
        <div id={hintId} className="soft small">
          {hint}
        </div>
      )}
    </div>
  )
}

export interface SelectOption<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly isDisabled?: boolean
}

/** A select with its label. */
export function Select<Value extends string>({
  label,
  hint,
  isLabelHidden = false,
  value,
  choices,
  onChoose,
  ...rest
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly isLabelHidden?: boolean
  readonly value: Value
  readonly choices: readonly SelectOption<Value>[]
  onChoose(value: Value): void
} & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange' | 'children'>) {
  return (
    <Field label={label} isLabelHidden={isLabelHidden} {...(hint !== undefined && { hint })}>
      {ids => (
        <select {...rest} {...ids} value={value} onChange={event => onChoose(event.target.value as Value)}>
          {choices.map(choice => (
            <option key={choice.value} value={choice.value} disabled={choice.isDisabled}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
