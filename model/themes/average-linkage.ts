import { yieldToEventLoop } from '../../infra/runtime/yielding.ts'
import { eachPair, type Pairs } from './pairs.ts'

interface Linkage {
  readonly size: number
  /** Known pairs. The likeness of any other pair is 0. */
  readonly pairs: Pairs
  /** Least average likeness of two groups that are joined; above 0. */
  readonly least: number
}

const A_TURN = 500

/**
 * Agglomerative clustering with average linkage over the known pairs: joins the two groups with the highest average
 * likeness again and again. Deterministic. Answers groups of two and more.
 *
 * Each group waits in a queue by the likeness to its nearest group. Joining other groups can only lower this likeness
 * (a joined group is not nearer to a third than the nearer of its parts), so it is computed again when the group's turn
 * comes.
 */
export const groupsOf = async ({ size, pairs, least }: Linkage): Promise<readonly (readonly number[])[]> => {
  const members = Array.from({ length: size }, (_, at): number[] | null => [at])
  const sizeOf = (group: number): number => members[group]?.length ?? 0
  const near = createNear(size, pairs)
  const queue = createQueue()
  const offer = (group: number): void => {
    const best = near.likest(group, sizeOf)
    if (best !== null && best.likeness >= least) queue.push({ group, ...best })
  }
  for (let group = 0; group < size; group += 1) offer(group)
  for (let turn = 0, next = queue.pop(); next !== null; turn += 1, next = queue.pop()) {
    if (turn % A_TURN === 0) await yieldToEventLoop()
    if (members[next.group] === null) continue
    const best = near.likest(next.group, sizeOf)
    if (best === null || best.likeness !== next.likeness) {
      if (best !== null && best.likeness >= least) queue.push({ group: next.group, ...best })
      continue
    }
    const [kept, joined] = [Math.min(next.group, best.other), Math.max(next.group, best.other)]
    for (const member of members[joined] ?? []) members[kept]?.push(member)
    members[joined] = null
    near.join(kept, joined)
    offer(kept)
  }
  return members.filter(group => group !== null).filter(group => group.length > 1)
}

/** Groups with known pairs to a group, with the sum of the likenesses to each. */
interface Neighbours {
  keys: Uint32Array
  sums: Float64Array
}

const createNear = (size: number, pairs: Pairs) => {
  const lists = neighboursIn(size, pairs)
  /** The group that a group was joined into; itself while it exists. */
  const into = Uint32Array.from({ length: size }, (_, at) => at)
  const groupOf = (group: number): number => {
    let at = group
    for (let next = into[at] ?? at; next !== at; next = into[at] ?? at) {
      into[at] = into[next] ?? next
      at = next
    }
    return at
  }
  /** Index of each group among those that are added up, from 1. */
  const places = new Uint32Array(size)

  /**
   * Adds up in place the sums of groups that were joined, and removes the group itself. Answers the number of entries
   * left.
   */
  const addUp = ({ keys, sums }: Neighbours, self: number): number => {
    let count = 0
    for (let at = 0; at < keys.length; at += 1) {
      const key = groupOf(keys[at] ?? 0)
      if (key === self) continue
      const place = places[key] ?? 0
      if (place > 0) sums[place - 1] = (sums[place - 1] ?? 0) + (sums[at] ?? 0)
      else {
        keys[count] = key
        sums[count] = sums[at] ?? 0
        count += 1
        places[key] = count
      }
    }
    for (let at = 0; at < count; at += 1) places[keys[at] ?? 0] = 0
    return count
  }

  return {
    /** The nearest group, the first of equally near ones; null without any. */
    likest: (
      group: number,
      sizeOf: (group: number) => number,
    ): { readonly other: number; readonly likeness: number } | null => {
      const list = lists[group]
      if (list === undefined) return null
      const count = addUp(list, group)
      if (count < list.keys.length) {
        list.keys = list.keys.subarray(0, count)
        list.sums = list.sums.subarray(0, count)
      }
      let best: { readonly other: number; readonly likeness: number } | null = null
      for (let at = 0; at < count; at += 1) {
        const other = list.keys[at] ?? 0
        const likeness = (list.sums[at] ?? 0) / (sizeOf(group) * sizeOf(other))
        if (best === null || likeness > best.likeness || (likeness === best.likeness && other < best.other))
          best = { other, likeness }
      }
      return best
    },
    join: (kept: number, joined: number): void => {
      into[joined] = kept
      const [mine, theirs] = [lists[kept], lists[joined]]
      if (mine === undefined || theirs === undefined) return
      const both = {
        keys: new Uint32Array(mine.keys.length + theirs.keys.length),
        sums: new Float64Array(mine.keys.length + theirs.keys.length),
      }
      both.keys.set(mine.keys)
      both.keys.set(theirs.keys, mine.keys.length)
      both.sums.set(mine.sums)
      both.sums.set(theirs.sums, mine.keys.length)
      const count = addUp(both, kept)
      lists[kept] = { keys: both.keys.slice(0, count), sums: both.sums.slice(0, count) }
      lists[joined] = { keys: new Uint32Array(0), sums: new Float64Array(0) }
    },
  }
}

/** The known pairs of each text, as parts of two shared columns. */
const neighboursIn = (size: number, pairs: Pairs): Neighbours[] => {
  const ends = new Uint32Array(size + 1)
  for (const each of [pairs.ones, pairs.others])
    for (let at = 0; at < each.length; at += 1) {
      const place = (each[at] ?? 0) + 1
      ends[place] = (ends[place] ?? 0) + 1
    }
  for (let at = 1; at <= size; at += 1) ends[at] = (ends[at] ?? 0) + (ends[at - 1] ?? 0)
  const next = ends.slice()
  const keys = new Uint32Array(2 * pairs.ones.length)
  const sums = new Float64Array(2 * pairs.ones.length)
  const put = (of: number, key: number, likeness: number): void => {
    const place = next[of] ?? 0
    keys[place] = key
    sums[place] = likeness
    next[of] = place + 1
  }
  eachPair(pairs, (one, other, likeness) => {
    put(one, other, likeness)
    put(other, one, likeness)
  })
  return Array.from({ length: size }, (_, at) => ({
    keys: keys.subarray(ends[at] ?? 0, ends[at + 1] ?? 0),
    sums: sums.subarray(ends[at] ?? 0, ends[at + 1] ?? 0),
  }))
}

/** A group with its nearest group. */
interface Waiting {
  readonly group: number
  readonly other: number
  readonly likeness: number
}

/** A binary heap: the nearest pair first; among equals the pair with earlier members. */
const createQueue = () => {
  const heap: Waiting[] = []
  const isBefore = (left: Waiting | undefined, right: Waiting | undefined): boolean =>
    left !== undefined &&
    right !== undefined &&
    (left.likeness - right.likeness || firstOf(right) - firstOf(left) || lastOf(right) - lastOf(left)) > 0
  const firstOf = ({ group, other }: Waiting): number => Math.min(group, other)
  const lastOf = ({ group, other }: Waiting): number => Math.max(group, other)
  const swap = (left: number, right: number): void => {
    const [a, b] = [heap[left], heap[right]]
    if (a === undefined || b === undefined) return
    heap[left] = b
    heap[right] = a
  }
  return {
    push: (waiting: Waiting): void => {
      heap.push(waiting)
      for (let at = heap.length - 1; at > 0; ) {
        const above = (at - 1) >> 1
        if (!isBefore(heap[at], heap[above])) return
        swap(at, above)
        at = above
      }
    },
    pop: (): Waiting | null => {
      const [first] = heap
      const last = heap.pop()
      if (first === undefined || last === undefined) return null
      if (heap.length === 0) return first
      heap[0] = last
      for (let at = 0; ; ) {
        let best = at
        for (const below of [2 * at + 1, 2 * at + 2]) if (isBefore(heap[below], heap[best])) best = below
        if (best === at) return first
        swap(at, best)
        at = best
      }
    },
  }
}
