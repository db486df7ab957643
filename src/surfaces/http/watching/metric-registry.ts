/**
 * What is counted, in the text format of Prometheus (version 0.0.4):
 *
 *   # HELP cairn_requests_total Requests that were answered.
 *   # TYPE cairn_requests_total counter
 *   cairn_requests_total{route="search",status="2xx"} 12
 *
 * Each value of a label makes a series, so its values must be few: the name of a route, never a path.
 */
type Labels = Readonly<Record<string, string>>

interface Sample {
  readonly labels?: Labels
  readonly value: number
}

interface Counter {
  add(labels?: Labels, by?: number): void
}

interface Histogram {
  observe(seconds: number, labels?: Labels): void
}

type Reading = number | undefined | readonly Sample[]

export interface MetricRegistry {
  counter(name: string, help: string): Counter
  histogram(name: string, help: string, buckets: readonly number[]): Histogram
  /** Read when the metrics are requested. undefined: unknown, and left out. */
  reading(kind: 'gauge' | 'counter', name: string, help: string, read: () => Reading | Promise<Reading>): void
  render(): Promise<string>
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

interface Line extends Sample {
  readonly suffix?: string
}

interface Metric {
  readonly name: string
  readonly help: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  read(): readonly Line[] | Promise<readonly Line[]>
}

export function metricRegistry(): MetricRegistry {
  const metrics: Metric[] = []
  return {
    counter(name, help) {
      const byKey = new Map<string, { labels: Labels; value: number }>()
      metrics.push({ name, help, kind: 'counter', read: () => [...byKey.values()] })
      return {
        add(labels = {}, by = 1) {
          const key = keyOf(labels)
          const known = byKey.get(key)
          if (known === undefined) byKey.set(key, { labels, value: by })
          else known.value += by
        },
      }
    },
    histogram(name, help, buckets) {
      const byKey = new Map<string, Buckets>()
      metrics.push({
        name,
        help,
        kind: 'histogram',
        read: () => [...byKey.values()].flatMap(series => linesOf(series, buckets)),
      })
      return {
        observe(seconds, labels = {}) {
          const key = keyOf(labels)
          const series = byKey.get(key) ?? { labels, counts: buckets.map(() => 0), sum: 0, count: 0 }
          byKey.set(key, series)
          const at = buckets.findIndex(most => seconds <= most)
          if (at >= 0) series.counts[at] = (series.counts[at] ?? 0) + 1
          series.sum += seconds
          series.count++
        },
      }
    },
    reading(kind, name, help, read) {
      metrics.push({ name, help, kind, read: async () => samplesOf(await read()) })
    },
    async render() {
      const parts = await Promise.all(
        metrics.map(async ({ name, help, kind, read }) => {
          const lines = await read()
          if (lines.length === 0) return ''
          return [
            `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`,
            `# TYPE ${name} ${kind}`,
            ...lines.map(
              ({ suffix = '', labels = {}, value }) =>
                `${name}${suffix}${labelText(labels)} ${valueText(value)}`,
            ),
            '',
          ].join('\n')
        }),
      )
      return parts.join('')
    },
  }
}

interface Buckets {
  readonly labels: Labels
  readonly counts: number[]
  sum: number
  count: number
}

/** Each bucket includes the counts of those below it. */
function linesOf({ labels, counts, sum, count }: Buckets, buckets: readonly number[]): Line[] {
  let below = 0
  const lines: Line[] = buckets.map((most, at) => {
    below += counts[at] ?? 0
    return { suffix: '_bucket', labels: { ...labels, le: String(most) }, value: below }
  })
  lines.push({ suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count })
  lines.push({ suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count })
  return lines
}

function samplesOf(read: Reading): readonly Sample[] {
  if (read === undefined) return []
  return typeof read === 'number' ? [{ value: read }] : read
}

const keyOf = (labels: Labels) => Object.values(labels).join('\0')

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function valueText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  if (value === Number.NEGATIVE_INFINITY) return '-Inf'
  return String(value)
}
