import type { Branch } from './outline.ts'
import { type Rectangle, squarify } from './squarify.ts'

/** A rectangle of the picture. */
export interface Cell {
  readonly branch: Branch
  readonly place: Rectangle
  readonly depth: number
  /** `leaf` stands for all of its node, `frame` is around what is below it, `own` is what is anchored to a framed node itself. */
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

/** Where each node of the branches is in a picture of them, those around before those within; areas follow the evidence. */
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
