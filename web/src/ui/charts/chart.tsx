import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type Messages, useWords } from '../../language/language.tsx'
import { Scrolled } from '../scrolled.tsx'
import { nextAt } from '../tabs.tsx'
import { labelled, linePath, ticksTo } from './scale.ts'
import './charts.css'

const en = { asTable: 'As a table', keys: 'Arrow keys move between days.' }
const chartWords: Messages<typeof en> = {
  en,
  pt: { asTable: 'Em tabela', keys: 'As setas mudam o dia.' },
}

interface Series {
  readonly name: string
  readonly values: readonly number[]
  /** The colour of the series and the fill of its bars, so that series differ without colour. */
  readonly variant: 'first' | 'second'
}

interface Props {
  readonly title: string
  /** The labels below the axis: one per day. */
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly kind: 'line' | 'bars'
  readonly format: (value: number) => string
  /** The title of the first table column. */
  readonly labelTitle: string
  readonly note?: ReactNode
}

const HEIGHT = 200
const LEFT = 52
const RIGHT = 8
const TOP = 10
const BOTTOM = 26

/** A small chart that can be read with a pointer, by keyboard and as a table. */
export function Chart({ title, labels, series, kind, format, labelTitle, note }: Props) {
  const words = useWords(chartWords)
  const [width, setWidth] = useState(0)
  const [at, setAt] = useState<number>()
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const resized = new ResizeObserver(() => setWidth(element.clientWidth))
    resized.observe(element)
    return () => resized.disconnect()
  }, [])
  const ticks = ticksTo(Math.max(0, ...series.flatMap(({ values }) => values)))
  const max = ticks.at(-1) ?? 1
  const inner = Math.max(0, width - LEFT - RIGHT)
  const step = inner / Math.max(1, labels.length)
  const x = (index: number) => LEFT + step * (index + 0.5)
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / max)
  const shownLabels = labelled(labels.length, Math.floor(inner / 70))
  const textAt = (index: number) =>
    `${labels[index]}: ${series.map(({ name, values }) => `${name} ${format(values[index] ?? 0)}`).join(', ')}`
  const onKeyDown = (event: KeyboardEvent) => {
    const to = nextAt(event.key, at ?? labels.length - 1, labels.length)
    if (to === undefined) return
    event.preventDefault()
    setAt(to)
  }
  return (
    <figure className="chart">
      <figcaption id={`${id}-title`}>
        <strong>{title}</strong>
        {series.length > 1 && (
          <span className="row small">
            {series.map(({ name, variant }) => (
              <span key={name} className="row chart-key">
                <span className={`chart-swatch ${variant}`} aria-hidden="true" />
                {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <div
        ref={box}
        className="chart-ground"
        role="slider"
        tabIndex={0}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-keys`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, labels.length - 1)}
        aria-valuenow={at ?? Math.max(0, labels.length - 1)}
        aria-valuetext={labels.length === 0 ? '' : textAt(at ?? labels.length - 1)}
        onKeyDown={onKeyDown}
        onFocus={() => setAt(before => before ?? labels.length - 1)}
        onBlur={() => setAt(undefined)}
        onPointerMove={event => {
          const left = box.current?.getBoundingClientRect().left ?? 0
          const index = Math.floor((event.clientX - left - LEFT) / step)
          setAt(index >= 0 && index < labels.length ? index : undefined)
        }}
        onPointerLeave={() => setAt(undefined)}
      >
        {width > 0 && (
          <svg width={width} height={HEIGHT} aria-hidden="true">
            {ticks.map(tick => (
              <g key={tick}>
                <line className="chart-grid" x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
                <text className="chart-text" x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
                  {format(tick)}
                </text>
              </g>
            ))}
            {labels.map(
              (label, index) =>
                shownLabels.has(index) && (
                  <text
                    key={label}
                    className="chart-text"
                    // The last label is aligned to the edge, because a centred long label would be cut off.
                    x={x(index) > width - 40 ? width : x(index)}
                    y={HEIGHT - 8}
                    textAnchor={x(index) > width - 40 ? 'end' : 'middle'}
                  >
                    {label}
                  </text>
                ),
            )}
            {at !== undefined && (
              <rect
                className="chart-at"
                x={LEFT + step * at}
                y={TOP}
                width={step}
                height={HEIGHT - TOP - BOTTOM}
              />
            )}
            {kind === 'line'
              ? series.map(({ name, values, variant }) => (
                  <g key={name} className={`chart-line ${variant}`}>
                    <path d={linePath(values.map((value, index) => [x(index), y(value)] as const))} />
                    {at !== undefined && <circle cx={x(at)} cy={y(values[at] ?? 0)} r={4} />}
                    {values.length === 1 && <circle cx={x(0)} cy={y(values[0] ?? 0)} r={4} />}
                  </g>
                ))
              : series.map(({ name, values, variant }, which) => {
                  const share = (step * 0.8) / series.length
                  return (
                    <g key={name} className={`chart-bar ${variant}`}>
                      {values.map((value, index) => (
                        <rect
                          // biome-ignore lint/suspicious/noArrayIndexKey: bars are identified by position.
                          key={index}
                          x={LEFT + step * (index + 0.1) + share * which}
                          y={y(value)}
                          width={Math.max(1, share - 0.5)}
                          height={y(0) - y(value)}
                        />
                      ))}
                    </g>
                  )
                })}
          </svg>
        )}
        {at !== undefined && (
          <div
            className="chart-tip"
            style={
              x(at) > width / 2 ? { insetInlineEnd: width - x(at) + 8 } : { insetInlineStart: x(at) + 8 }
            }
          >
            {textAt(at)}
          </div>
        )}
      </div>
      <p id={`${id}-keys`} className="unseen">
        {words.keys}
      </p>
      {note !== undefined && <p className="soft small">{note}</p>}
      <details>
        <summary className="small">{words.asTable}</summary>
        <Scrolled label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{labelTitle}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" className="amount">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {labels.map((label, index) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {series.map(({ name, values }) => (
                    <td key={name} className="amount">
                      {format(values[index] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      </details>
    </figure>
  )
}
