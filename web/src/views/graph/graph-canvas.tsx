import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { coloursOf, draw, type Viewport } from './graph-draw.ts'
import { type Body, type Layout, layOut } from './graph-layout.ts'
import { nearestTowards, type VisibleGraph } from './graph-model.ts'
import { graphWords } from './words.ts'

/** The time per frame for the layout. The rest is for drawing and input. */
const SLICE_MS = 8
const MIN_SCALE = 0.05
const MAX_SCALE = 6
const TOUCH_PX = 14

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The drawing of the graph. The list has the same content. */
export function GraphCanvas({
  shown,
  chosen,
  onChoose,
}: {
  readonly shown: VisibleGraph
  readonly chosen: string | undefined
  onChoose(name: string | undefined): void
}) {
  const words = useWords(graphWords)
  const canvas = useRef<HTMLCanvasElement>(null)
  const places = useRef<ReadonlyMap<string, { x: number; y: number }>>(new Map())
  const view = useRef<Viewport>({ x: 0, y: 0, scale: 1 })
  const size = useRef({ width: 0, height: 0 })
  const isFitted = useRef(false)
  const redraw = useRef<() => void>(() => undefined)
  const [isArranging, setArranging] = useState(false)
  const help = useId()
  const layout = useMemo(() => layOut(shown, places.current), [shown])
  const near = useMemo(() => nearNames(layout, chosen), [layout, chosen])
  const latest = useRef({ layout, near, chosen })
  latest.current = { layout, near, chosen }

  const fit = useCallback(() => {
    view.current = fittedView(latest.current.layout, size.current)
    redraw.current()
  }, [])

  // One loop runs the layout in slices and draws. It stops when nothing moves.
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    let frame = 0
    let isMoving = true
    const paint = () => {
      const { layout: now, near: around, chosen: one } = latest.current
      if (size.current.width === 0) return
      if (!isFitted.current) view.current = fittedView(now, size.current)
      draw(context, {
        layout: now,
        view: view.current,
        ...size.current,
        chosen: one,
        near: around,
        colours: coloursOf(element),
      })
    }
    const step = () => {
      frame = 0
      isMoving = layout.work(isStill ? 2 * SLICE_MS : SLICE_MS)
      if (!isStill || !isMoving) paint()
      if (isMoving) frame = requestAnimationFrame(step)
      else {
        setArranging(false)
        places.current = new Map(layout.bodies.map(({ node, x, y }) => [node.node, { x, y }]))
        isFitted.current = true
      }
    }
    const paintOnce = () => {
      frame = 0
      paint()
    }
    redraw.current = () => {
      if (frame === 0) frame = requestAnimationFrame(isMoving ? step : paintOnce)
    }
    const resized = new ResizeObserver(() => {
      const { width, height } = element.getBoundingClientRect()
      size.current = { width, height }
      element.width = Math.round(width * devicePixelRatio)
      element.height = Math.round(height * devicePixelRatio)
      if (isFitted.current) view.current = fittedView(latest.current.layout, size.current)
      paint()
    })
    resized.observe(element)
    const themed = new MutationObserver(() => redraw.current())
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    setArranging(true)
    frame = requestAnimationFrame(step)
    return () => {
      cancelAnimationFrame(frame)
      resized.disconnect()
      themed.disconnect()
      places.current = new Map(layout.bodies.map(({ node, x, y }) => [node.node, { x, y }]))
    }
  }, [layout])

  // Scrolls the selected node into view.
  useEffect(() => {
    const body = chosen === undefined ? undefined : layout.bodyByName.get(chosen)
    if (body !== undefined) {
      const { width, height } = size.current
      const { x, y, scale } = view.current
      const at = { x: body.x * scale + x, y: body.y * scale + y }
      if (at.x < 20 || at.y < 20 || at.x > width - 20 || at.y > height - 20) {
        isFitted.current = true
        view.current = { scale, x: width / 2 - body.x * scale, y: height / 2 - body.y * scale }
      }
    }
    redraw.current()
  }, [chosen, layout])

  const zoom = useCallback((by: number, at?: { x: number; y: number }) => {
    const { width, height } = size.current
    const { x = width / 2, y = height / 2 } = at ?? {}
    const before = view.current
    const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, before.scale * by))
    const grown = scale / before.scale
    view.current = { scale, x: x - (x - before.x) * grown, y: y - (y - before.y) * grown }
    isFitted.current = true
    redraw.current()
  }, [])
  const pan = useCallback((dx: number, dy: number) => {
    view.current = { ...view.current, x: view.current.x + dx, y: view.current.y + dy }
    isFitted.current = true
    redraw.current()
  }, [])

  // Not a React handler: only a non-passive listener can prevent the page from scrolling.
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const box = element.getBoundingClientRect()
      zoom(Math.exp(-event.deltaY * 0.0015), { x: event.clientX - box.left, y: event.clientY - box.top })
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [zoom])

  const pointing = usePointing({ canvas, view, latest, zoom, pan, redraw, onChoose })

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key]
    const keys: Readonly<Record<string, () => void>> = {
      '+': () => zoom(1.3),
      '=': () => zoom(1.3),
      '-': () => zoom(1 / 1.3),
      '0': () => fit(),
      Escape: () => onChoose(undefined),
    }
    if (direction !== undefined && event.shiftKey) pan(-60 * direction[0], -60 * direction[1])
    else if (direction !== undefined) {
      const from = chosen === undefined ? undefined : layout.bodyByName.get(chosen)
      const next = from === undefined ? bestOf(layout) : nearestTowards(from, direction, layout.bodies)
      if (next !== undefined) onChoose(next.node.node)
    } else if (keys[event.key] !== undefined) keys[event.key]?.()
    else return
    event.preventDefault()
  }

  return (
    <div className="graph-drawing">
      <div
        className="graph-ground"
        role="application"
        aria-label={words.drawing}
        aria-describedby={help}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application handles its own keys.
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} {...pointing} />
      </div>
      <div className="graph-zoom row">
        <Button aria-label={words.zoomIn} onClick={() => zoom(1.3)}>
          +
        </Button>
        <Button aria-label={words.zoomOut} onClick={() => zoom(1 / 1.3)}>
          −
        </Button>
        <Button onClick={fit}>{words.fit}</Button>
      </div>
      <p id={help} className="soft graph-help">
        {words.keys} <span aria-live="polite">{isArranging ? words.arranging : ''}</span>
      </p>
    </div>
  )
}

interface Pointing {
  readonly canvas: { readonly current: HTMLCanvasElement | null }
  readonly view: { readonly current: Viewport }
  readonly latest: { readonly current: { readonly layout: Layout } }
  readonly redraw: { readonly current: () => void }
  zoom(by: number, at: { x: number; y: number }): void
  pan(dx: number, dy: number): void
  onChoose(name: string | undefined): void
}

/** Mouse and touch: drag the background to pan, drag a node to move it, pinch to zoom, press to select. */
function usePointing({ canvas, view, latest, redraw, zoom, pan, onChoose }: Pointing) {
  const pointers = useRef(new Map<number, { x: number; y: number }>())
  const drag = useRef<{ body: Body | undefined; hasMoved: boolean }>(undefined)
  const at = (event: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect()
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) }
  }
  const bodyAt = ({ x, y }: { x: number; y: number }): Body | undefined => {
    const { x: vx, y: vy, scale } = view.current
    const point = { x: (x - vx) / scale, y: (y - vy) / scale }
    let best: Body | undefined
    let least = Number.POSITIVE_INFINITY
    for (const body of latest.current.layout.bodies) {
      const distance = Math.hypot(body.x - point.x, body.y - point.y)
      if (distance <= Math.max(body.radius, TOUCH_PX / scale) && distance < least)
        [best, least] = [body, distance]
    }
    return best
  }
  return {
    onPointerDown(event: PointerEvent) {
      canvas.current?.setPointerCapture(event.pointerId)
      pointers.current.set(event.pointerId, at(event))
      drag.current = { body: pointers.current.size === 1 ? bodyAt(at(event)) : undefined, hasMoved: false }
    },
    onPointerMove(event: PointerEvent) {
      const before = pointers.current.get(event.pointerId)
      if (before === undefined || drag.current === undefined) return
      const now = at(event)
      const [dx, dy] = [now.x - before.x, now.y - before.y]
      if (!drag.current.hasMoved && Math.hypot(dx, dy) < 4) return
      drag.current.hasMoved = true
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
      pointers.current.set(event.pointerId, now)
      if (other !== undefined) {
        const grown =
          Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y)
        zoom(grown, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 })
        return
      }
      const { body } = drag.current
      if (body === undefined) {
        pan(dx, dy)
        return
      }
      body.x += dx / view.current.scale
      body.y += dy / view.current.scale
      redraw.current()
    },
    onPointerUp(event: PointerEvent) {
      pointers.current.delete(event.pointerId)
      const { body, hasMoved } = drag.current ?? { body: undefined, hasMoved: true }
      if (!hasMoved) onChoose(body?.node.node)
      if (pointers.current.size === 0) drag.current = undefined
      else if (drag.current !== undefined) drag.current.hasMoved = true
    },
    onPointerCancel(event: PointerEvent) {
      pointers.current.delete(event.pointerId)
    },
  }
}

function bestOf({ bodies }: Layout): Body | undefined {
  return bodies.reduce<Body | undefined>(
    (best, body) => (best === undefined || body.node.degree > best.node.degree ? body : best),
    undefined,
  )
}

function nearNames({ springs }: Layout, chosen: string | undefined): ReadonlySet<string> | undefined {
  if (chosen === undefined) return undefined
  const names = new Set([chosen])
  for (const { source, target } of springs) {
    if (source.node.node === chosen) names.add(target.node.node)
    if (target.node.node === chosen) names.add(source.node.node)
  }
  return names
}

function fittedView({ bodies }: Layout, { width, height }: { width: number; height: number }): Viewport {
  if (bodies.length === 0 || width === 0) return { x: width / 2, y: height / 2, scale: 1 }
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y, radius } of bodies) {
    left = Math.min(left, x - radius)
    right = Math.max(right, x + radius)
    top = Math.min(top, y - radius)
    bottom = Math.max(bottom, y + radius)
  }
  // Leaves room for a label on the right.
  const scale = Math.min(1.6, (width - 140) / (right - left + 1), (height - 60) / (bottom - top + 1))
  const fitted = Math.max(MIN_SCALE, scale)
  return {
    scale: fitted,
    x: width / 2 - (fitted * (left + right)) / 2 - 40,
    y: height / 2 - (fitted * (top + bottom)) / 2,
  }
}
