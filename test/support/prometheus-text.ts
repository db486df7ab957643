/** A strict reader of the text format 0.0.4: what it does not know, or would be refused by a scraper, it throws. */
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Exposition {
  readonly series: readonly Series[]
  readonly kindByName: ReadonlyMap<string, string>
  /** The one series of a name with these labels. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? ([+-]?(?:Inf|[0-9.]+(?:e[+-]?[0-9]+)?)|NaN)$`)
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y

export function parseExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const kindByName = new Map<string, string>()
  const helped = new Set<string>()
  const series: Series[] = []
  const seen = new Set<string>()
  for (const line of text.slice(0, -1).split('\n')) {
    const [, help] = new RegExp(`^# HELP (${NAME}) .+$`).exec(line) ?? []
    if (help !== undefined) {
      if (helped.has(help)) throw new Error(`two helps of ${help}`)
      helped.add(help)
      continue
    }
    const [, typed, kind = ''] = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`).exec(line) ?? []
    if (typed !== undefined) {
      if (kindByName.has(typed)) throw new Error(`two types of ${typed}`)
      kindByName.set(typed, kind)
      continue
    }
    const [, name = '', packed = '', number = ''] = SAMPLE.exec(line) ?? []
    if (name === '') throw new Error(`no line of the format: ${line}`)
    const family = kindByName.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')
    if (!kindByName.has(family)) throw new Error(`${name} has no type before it`)
    if (seen.has(line.slice(0, line.lastIndexOf(' ')))) throw new Error(`twice: ${line}`)
    seen.add(line.slice(0, line.lastIndexOf(' ')))
    series.push({ name, labels: parseLabels(packed), value: Number(number.replace('Inf', 'Infinity')) })
  }
  checkHistograms(series, kindByName)
  return {
    series,
    kindByName,
    value: (name, labels = {}) =>
      series.find(
        each =>
          each.name === name &&
          Object.entries(labels).every(([label, value]) => each.labels[label] === value),
      )?.value,
  }
}

function parseLabels(packed: string): Record<string, string> {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < packed.length) {
    const match = LABEL.exec(packed)
    if (match === null) throw new Error(`no labels: ${packed}`)
    labels[match[1] ?? ''] = (match[2] ?? '').replace(/\\([\\"n])/g, (_, c) => (c === 'n' ? '\n' : c))
  }
  return labels
}

/** Buckets grow, end in +Inf, and that is the count. */
function checkHistograms(series: readonly Series[], kindByName: ReadonlyMap<string, string>): void {
  for (const [name, kind] of kindByName) {
    if (kind !== 'histogram') continue
    const last = new Map<string, { le: string; value: number }>()
    for (const { name: own, labels, value } of series) {
      if (own !== `${name}_bucket`) continue
      const { le = '', ...rest } = labels
      const key = JSON.stringify(rest)
      const before = last.get(key)
      if (before !== undefined && before.value > value) throw new Error(`${name} shrinks at ${le}`)
      last.set(key, { le, value })
    }
    for (const { name: own, labels, value } of series) {
      if (own !== `${name}_count`) continue
      const end = last.get(JSON.stringify(labels))
      if (end?.le !== '+Inf' || end.value !== value) throw new Error(`${name} does not end with its count`)
    }
  }
}
