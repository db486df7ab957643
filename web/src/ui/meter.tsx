/** A usage bar with a text. */
export function Meter({
  label,
  value,
  most,
  text,
  look = 'normal',
}: {
  readonly label: string
  readonly value: number
  readonly most: number
  /** The text next to the bar: `312 of 800 tokens`. */
  readonly text: string
  readonly look?: 'normal' | 'warn' | 'bad' | 'good'
}) {
  const share = most <= 0 ? 0 : Math.min(1, Math.max(0, value / most))
  return (
    <div className="meter">
      {/* biome-ignore lint/a11y/useSemanticElements: <meter> can be coloured in no two browsers alike. */}
      <div
        className={`meter-bar ${look}`}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={most}
        aria-valuenow={Math.min(value, most)}
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
