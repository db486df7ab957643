/** A usage bar with a text. */
export function Meter({
  label,
  value,
  max,
  text,
  variant = 'normal',
}: {
  readonly label: string
  readonly value: number
  readonly max: number
  /** The text next to the bar: `312 of 800 tokens`. */
  readonly text: string
  readonly variant?: 'normal' | 'warn' | 'bad' | 'good'
}) {
  const share = max <= 0 ? 0 : Math.min(1, Math.max(0, value / max))
  return (
    <div className="meter">
      {/* biome-ignore lint/a11y/useSemanticElements: <meter> is styled differently in every browser. */}
      <div
        className={`meter-bar ${variant}`}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={text}
      >
        <span style={{ inlineSize: `${share * 100}%` }} />
      </div>
      <span className="soft small" aria-hidden="true">
        {text}
      </span>
    </div>
  )
}

/** Progress of long work. Without a total it is indeterminate. */
export function ProgressBar({
  label,
  done,
  total,
}: {
  readonly label: string
  readonly done: number
  readonly total?: number | undefined
}) {
  return (
    <div className="progress" role="status">
      <span>{label}</span>
      <progress aria-label={label} {...(total !== undefined && { value: done, max: Math.max(1, total) })} />
      {total !== undefined && (
        <span className="soft small">
          {done} / {total}
        </span>
      )}
    </div>
  )
}
