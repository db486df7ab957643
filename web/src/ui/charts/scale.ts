/** Steps of an axis from 0 to at least `max`: 1, 2 or 5 times a power of ten, about `count` of them. */
export function ticksTo(max: number, count = 4): readonly number[] {
  if (!(max > 0)) return [0, 1]
  const rough = max / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find(times => times * power >= rough) ?? 10) * power
  // Counts have no halves.
  const whole = Math.max(step, Number.isInteger(max) ? 1 : 0)
  const ticks: number[] = [0]
  while ((ticks.at(-1) ?? 0) < max)
    ticks.push(Math.round((ticks.length * whole + Number.EPSILON) * 1e6) / 1e6)
  return ticks
}

/** Which labels are shown below an axis: evenly spaced, always including the last one. */
export function labelled(length: number, room: number): ReadonlySet<number> {
  const every = Math.max(1, Math.ceil(length / Math.max(1, room)))
  const shown = new Set<number>()
  for (let at = length - 1; at >= 0; at -= every) shown.add(at)
  return shown
}

/** `M0,10 L5,4`: a line through values, from left to right. */
export function linePath(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${round(x)},${round(y)}`).join(' ')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
