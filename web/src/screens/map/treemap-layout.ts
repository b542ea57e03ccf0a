import type { Branch } from './outline.ts'

/** A rectangle of the picture. */
export interface Cell {
  readonly branch: Branch
  readonly place: Rectangle
  readonly depth: number
  /**
   * `leaf` stands for all of its node, `frame` is around what is below it, `own` is what is anchored to a framed node
   * itself.
   */
  readonly kind: 'leaf' | 'frame' | 'own'
}

/** Room for the name above what is in a frame, and around it, in pixels. */
const HEAD = 22
const GAP = 3
/** A rectangle that is smaller is not divided. */
const LEAST = { width: 56, height: 52 }
/** A node is never smaller than this share of the average, so that one without evidence can be seen too. */
const LEAST_SHARE = 1 / 8

const countOf = (branches: readonly Branch[]): number =>
  branches.reduce((sum, { children }) => sum + 1 + countOf(children), 0)

/** What a branch weighs: its evidence, and for each node at least `least`. */
const weightOf = ({ node, children }: Branch, least: number): number =>
  children.length === 0
    ? Math.max(node.signals, least)
    : node.signals + children.reduce((sum, child) => sum + weightOf(child, least), 0)

/**
 * Where each node of the branches is in a picture of them, those around before those within; areas follow the evidence.
 */
export const layOut = (branches: readonly Branch[], within: Rectangle): readonly Cell[] => {
  const evidence = branches.reduce((sum, { node }) => sum + node.subtree_signals, 0)
  const least = Math.max(0.5, (evidence / Math.max(1, countOf(branches))) * LEAST_SHARE)
  return cellsOf(branches, within, { least, depth: 0 })
}

interface Level {
  readonly least: number
  readonly depth: number
}

const cellsOf = (branches: readonly Branch[], within: Rectangle, level: Level): readonly Cell[] => {
  const places = squarify(
    branches.map(branch => weightOf(branch, level.least)),
    within,
  )
  return branches.flatMap((branch, index) => cellsOfBranch(branch, places[index] ?? within, level))
}

const cellsOfBranch = (branch: Branch, place: Rectangle, { least, depth }: Level): readonly Cell[] => {
  const { node, children } = branch
  const isDivided = children.length > 0 && place.width >= LEAST.width && place.height >= LEAST.height
  if (!isDivided) return [{ branch, place, depth, kind: 'leaf' }]
  const inside = {
    x: place.x + GAP,
    y: place.y + HEAD,
    width: place.width - 2 * GAP,
    height: place.height - HEAD - GAP,
  }
  const below = children.reduce((sum, child) => sum + weightOf(child, least), 0)
  const [room = inside, own] = squarify([below, node.signals], inside)
  return [
    { branch, place, depth, kind: 'frame' },
    ...cellsOf(children, room, { least, depth: depth + 1 }),
    ...(own !== undefined && node.signals > 0 ? [{ branch, place: own, depth: depth + 1, kind: 'own' as const }] : []),
  ]
}

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Divides a rectangle among weights, one rectangle each in their order, areas in proportion and as square as it gets:
 * rows along the shorter side, each as long as its worst ratio of sides improves (Bruls, Huizing, van Wijk: Squarified
 * Treemaps, 2000). A weight that is not above zero gets a rectangle of no area.
 */
export const squarify = (weights: readonly number[], within: Rectangle): readonly Rectangle[] => {
  const places: Rectangle[] = weights.map(() => ({ x: within.x, y: within.y, width: 0, height: 0 }))
  const order = weights
    .keys()
    .filter(index => (weights[index] ?? 0) > 0)
    .toArray()
  order.sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0))
  const total = order.reduce((sum, index) => sum + (weights[index] ?? 0), 0)
  const scale = total === 0 ? 0 : (within.width * within.height) / total

  let free = within
  let row: { readonly index: number; readonly area: number }[] = []
  const place = () => {
    const [laid, rest] = layRow(
      row.map(({ area }) => area),
      free,
    )
    for (const [position, { index }] of row.entries()) places[index] = laid[position] ?? free
    free = rest
    row = []
  }
  for (const index of order) {
    const next = { index, area: (weights[index] ?? 0) * scale }
    if (row.length > 0 && worstRatio([...row, next], free) > worstRatio(row, free)) place()
    row.push(next)
  }
  if (row.length > 0) place()
  return places
}

/** The worst ratio of sides in a row, whose first has the greatest area and whose last the least. */
const worstRatio = (row: readonly { readonly area: number }[], { width, height }: Rectangle): number => {
  const side = Math.min(width, height)
  const sum = row.reduce((total, { area }) => total + area, 0)
  return Math.max((side ** 2 * (row[0]?.area ?? 0)) / sum ** 2, sum ** 2 / (side ** 2 * (row.at(-1)?.area ?? 0)))
}

/** Areas beside each other along the shorter side; and what is left of the rectangle. */
const layRow = (areas: readonly number[], free: Rectangle): readonly [readonly Rectangle[], Rectangle] => {
  const sum = areas.reduce((total, area) => total + area, 0)
  const isColumn = free.width >= free.height
  const side = isColumn ? free.height : free.width
  const thickness = side === 0 ? 0 : sum / side
  let at = isColumn ? free.y : free.x
  const laid = areas.map(area => {
    const length = thickness === 0 ? 0 : area / thickness
    const rectangle = isColumn
      ? { x: free.x, y: at, width: thickness, height: length }
      : { x: at, y: free.y, width: length, height: thickness }
    at += length
    return rectangle
  })
  const rest = isColumn
    ? { ...free, x: free.x + thickness, width: Math.max(0, free.width - thickness) }
    : { ...free, y: free.y + thickness, height: Math.max(0, free.height - thickness) }
  return [laid, rest]
}
