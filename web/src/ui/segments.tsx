import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface Segment<Value extends string> {
  readonly value: Value
  readonly label: ReactNode
}

/** A group of joined toggle buttons: several presentations of the same content. Use `Tabs` for different content. */
export function Segments<Value extends string>({
  label,
  isLabelShown = false,
  segments,
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly isLabelShown?: boolean
  readonly segments: readonly Segment<Value>[]
  readonly chosen: Value
  onChoose(value: Value): void
}) {
  return (
    <fieldset className="segments">
      <legend className={isLabelShown ? undefined : 'unseen'}>{label}</legend>
      {segments.map(({ value, label: text }) => (
        <Button key={value} aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {text}
        </Button>
      ))}
    </fieldset>
  )
}
