/** What one sequence has in a place where the other has something else, or nothing. */
export interface Change<Item> {
  readonly left: readonly Item[]
  readonly right: readonly Item[]
}

/**
 * The fewest items to take out of one sequence and put in from the other, by places (Myers 1986); null when there are
 * more than `most` of them. Takes time in proportion to the length times `most`.
 */
export const changesBetween = <Item extends { readonly text: string }>(
  left: readonly Item[],
  right: readonly Item[],
  most: number,
): readonly Change<Item>[] | null => {
  if (Math.abs(left.length - right.length) > most) return null
  const steps = furthest(left, right, most)
  return steps && trace(left, right, steps)
}

/** For each number of changes, how far into `left` each diagonal gets; the last one reaches both ends. */
const furthest = <Item extends { readonly text: string }>(
  left: readonly Item[],
  right: readonly Item[],
  most: number,
): readonly Int32Array[] | null => {
  const steps: Int32Array[] = []
  const reach = new Int32Array(2 * most + 3)
  const middle = most + 1
  for (let count = 0; count <= most; count += 1) {
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let x = start(reach, middle, diagonal, count)
      let y = x - diagonal
      while (x < left.length && y < right.length && left[x]?.text === right[y]?.text) {
        x += 1
        y += 1
      }
      reach[middle + diagonal] = x
      if (x >= left.length && y >= right.length) return [...steps, reach.slice()]
    }
    steps.push(reach.slice())
  }
  return null
}

const isDown = (reach: Int32Array, middle: number, diagonal: number, count: number): boolean =>
  diagonal === -count ||
  (diagonal !== count && (reach[middle + diagonal - 1] ?? 0) < (reach[middle + diagonal + 1] ?? 0))

const start = (reach: Int32Array, middle: number, diagonal: number, count: number): number => {
  if (count === 0) return 0
  return isDown(reach, middle, diagonal, count)
    ? (reach[middle + diagonal + 1] ?? 0)
    : (reach[middle + diagonal - 1] ?? 0) + 1
}

/** Goes back from the ends, and gathers neighbouring items into one change. */
const trace = <Item>(
  left: readonly Item[],
  right: readonly Item[],
  steps: readonly Int32Array[],
): readonly Change<Item>[] => {
  const middle = ((steps[0]?.length ?? 0) - 1) / 2
  const changes: { left: Item[]; right: Item[] }[] = []
  let x = left.length
  let y = right.length
  let open = false
  for (let count = steps.length - 1; count > 0; count -= 1) {
    const reach = steps[count - 1] ?? new Int32Array(0)
    const diagonal = x - y
    const down = isDown(reach, middle, diagonal, count)
    const from = down ? diagonal + 1 : diagonal - 1
    const beforeX = reach[middle + from] ?? 0
    const beforeY = beforeX - from
    const afterX = down ? beforeX : beforeX + 1
    if (x > afterX) open = false
    if (!open) changes.push({ left: [], right: [] })
    open = true
    const change = changes.at(-1)
    if (down) change?.right.unshift(...right.slice(beforeY, beforeY + 1))
    else change?.left.unshift(...left.slice(beforeX, beforeX + 1))
    x = beforeX
    y = beforeY
  }
  return changes.reverse()
}
