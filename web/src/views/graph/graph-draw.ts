import type { Body, Layout } from './graph-layout.ts'
import type { NodeType } from './graph-model.ts'

export interface Viewport {
  readonly x: number
  readonly y: number
  readonly scale: number
}

interface Colours {
  readonly ground: string
  readonly text: string
  readonly line: string
  readonly strong: string
  readonly focus: string
  readonly types: Readonly<Record<NodeType, string>>
}

/** The colours of the current theme, by their names in tokens.css. */
export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element)
  const named = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    ground: named('surface'),
    text: named('text'),
    line: named('line'),
    strong: named('line-strong'),
    focus: named('focus'),
    types: {
      entry: named('accent'),
      file: named('info'),
      package: named('good'),
      command: named('warn'),
      service: named('bad'),
      person: named('text-soft'),
    },
  }
}

const MAX_LABELS = 60
const LABEL_CHARACTERS = 34
/** Each cell of this size has room for one label. */
const CELL = { width: 90, height: 16 }

export interface Drawing {
  readonly layout: Layout
  readonly view: Viewport
  readonly width: number
  readonly height: number
  readonly chosen: string | undefined
  /** Names of emphasized nodes. The others are dimmed. Undefined: all the same. */
  readonly near: ReadonlySet<string> | undefined
  readonly colours: Colours
}

export function draw(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { layout, view, width, height, chosen, near, colours } = drawing
  const ratio = context.canvas.width / width
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.fillStyle = colours.ground
  context.fillRect(0, 0, width, height)
  context.translate(view.x, view.y)
  context.scale(view.scale, view.scale)
  const isNear = (body: Body) => near === undefined || near.has(body.node.node)
  context.lineWidth = 1 / view.scale
  for (const isStrong of [false, true]) {
    context.strokeStyle = isStrong ? colours.strong : colours.line
    context.setLineDash([])
    context.beginPath()
    for (const { source, target, relation } of layout.springs) {
      const isOfChosen = source.node.node === chosen || target.node.node === chosen
      const isEmphasized = chosen === undefined ? relation !== 'mentions' : isOfChosen
      if (isEmphasized !== isStrong) continue
      context.moveTo(source.x, source.y)
      context.lineTo(target.x, target.y)
    }
    context.stroke()
  }
  for (const body of layout.bodies) {
    context.globalAlpha = isNear(body) ? 1 : 0.25
    context.fillStyle = colours.types[body.type]
    context.strokeStyle = colours.ground
    context.lineWidth = 1.5 / view.scale
    context.beginPath()
    outline(context, body)
    context.fill()
    context.stroke()
    if (body.node.node !== chosen) continue
    context.strokeStyle = colours.focus
    context.lineWidth = 3 / view.scale
    context.beginPath()
    context.arc(body.x, body.y, body.radius + 5 / view.scale, 0, 2 * Math.PI)
    context.stroke()
  }
  context.globalAlpha = 1
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  drawLabels(context, drawing)
}

/** Every type has its own shape, so that colour is not needed. */
function outline(context: CanvasRenderingContext2D, { x, y, radius: r, type }: Body): void {
  const corners = CORNERS[type]
  if (corners === undefined) {
    context.arc(x, y, r, 0, 2 * Math.PI)
    return
  }
  corners.forEach(([cx, cy], at) => {
    if (at === 0) context.moveTo(x + cx * r, y + cy * r)
    else context.lineTo(x + cx * r, y + cy * r)
  })
  context.closePath()
}

/** The corners of each shape in a circle of radius 1. A circle has none. */
export const CORNERS: Readonly<Record<NodeType, readonly (readonly [number, number])[] | undefined>> = {
  entry: undefined,
  file: regular(4, Math.PI / 4),
  package: regular(4, 0),
  command: regular(3, -Math.PI / 2),
  service: regular(6, 0),
  person: regular(5, -Math.PI / 2),
}

function regular(corners: number, turn: number): readonly (readonly [number, number])[] {
  return Array.from({ length: corners }, (_, at) => {
    const angle = turn + (2 * Math.PI * at) / corners
    return [1.15 * Math.cos(angle), 1.15 * Math.sin(angle)] as const
  })
}

function drawLabels(
  context: CanvasRenderingContext2D,
  { layout, view, width, height, chosen, near, colours }: Drawing,
): void {
  context.font = `12px ${getComputedStyle(context.canvas).fontFamily}`
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  const rank = (body: Body) =>
    body.node.node === chosen ? 1_000_000 : (near?.has(body.node.node) ? 10_000 : 0) + body.node.degree
  const occupied = new Set<string>()
  let labels = 0
  for (const body of [...layout.bodies].sort((a, b) => rank(b) - rank(a))) {
    if (labels >= MAX_LABELS) return
    if (near !== undefined && !near.has(body.node.node)) continue
    const x = body.x * view.scale + view.x + body.radius * view.scale + 4
    const y = body.y * view.scale + view.y
    if (x < 0 || y < 0 || x > width || y > height) continue
    const text = cut(body.node.label)
    const cells = cellsOf(x, y, context.measureText(text).width)
    if (body.node.node !== chosen && cells.some(cell => occupied.has(cell))) continue
    for (const cell of cells) occupied.add(cell)
    labels++
    context.strokeStyle = colours.ground
    context.lineWidth = 3
    context.strokeText(text, x, y)
    context.fillStyle = colours.text
    context.fillText(text, x, y)
  }
}

function cellsOf(x: number, y: number, width: number): string[] {
  const cells: string[] = []
  for (const row of [Math.floor((y - 7) / CELL.height), Math.floor((y + 7) / CELL.height)])
    for (let column = Math.floor(x / CELL.width); column <= Math.floor((x + width) / CELL.width); column++)
      cells.push(`${column},${row}`)
  return cells
}

function cut(label: string): string {
  return label.length > LABEL_CHARACTERS ? `${label.slice(0, LABEL_CHARACTERS - 1)}…` : label
}
