import { yieldToEventLoop } from '../../infra/runtime/turns.ts'

export interface Pair {
  readonly one: number
  readonly other: number
  readonly likeness: number
}

interface Linkage {
  readonly size: number
  readonly pairs: readonly Pair[]
  /** How alike two are that are no pair. */
  readonly otherwise: number
  /** Groups are joined while any two of them are so alike on average. */
  readonly least: number
}

const A_TURN = 500

/** What two groups have between them: the pairs, and how alike those are together. */
interface Between {
  sum: number
  count: number
}

/**
 * Groups whose members are alike on average, by joining the two likest groups again and again: agglomerative, average
 * linkage, over the pairs that are known. The same pairs always make the same groups. Answers those of two and more.
 */
export const groupsOf = async ({ size, pairs, otherwise, least }: Linkage): Promise<readonly (readonly number[])[]> => {
  const members = Array.from({ length: size }, (_, at): number[] | null => [at])
  const near = Array.from({ length: size }, () => new Map<number, Between>())
  const queue = createQueue()
  const sizeOf = (group: number): number => members[group]?.length ?? 0
  const likenessOf = (one: number, other: number, { sum, count }: Between): number => {
    const all = sizeOf(one) * sizeOf(other)
    return (sum + (all - count) * otherwise) / all
  }
  const offer = (one: number, other: number, between: Between): void => {
    const likeness = likenessOf(one, other, between)
    if (likeness >= least) queue.push({ one: Math.min(one, other), other: Math.max(one, other), likeness })
  }
  for (const { one, other, likeness } of pairs) {
    const between = { sum: likeness, count: 1 }
    near[one]?.set(other, between)
    near[other]?.set(one, between)
    offer(one, other, between)
  }
  for (let turn = 0, next = queue.pop(); next !== null; turn += 1, next = queue.pop()) {
    if (turn % A_TURN === 0) await yieldToEventLoop()
    const { one, other, likeness } = next
    const [kept, joined, between] = [members[one], members[other], near[one]?.get(other)]
    // What was queued before one of the two grew is queued again as it is now.
    if (!kept || !joined || between === undefined || likenessOf(one, other, between) !== likeness) continue
    for (const member of joined) kept.push(member)
    members[other] = null
    const [mine, theirs] = [near[one] ?? new Map<number, Between>(), near[other] ?? new Map<number, Between>()]
    mine.delete(other)
    theirs.delete(one)
    for (const [third, its] of theirs) {
      near[third]?.delete(other)
      const own = mine.get(third)
      if (own === undefined) {
        mine.set(third, its)
        near[third]?.set(one, its)
      } else {
        own.sum += its.sum
        own.count += its.count
      }
    }
    near[other] = new Map()
    for (const [third, its] of mine) offer(one, third, its)
  }
  return members.filter(group => group !== null).filter(group => group.length > 1)
}

/** The likest pair first; among equals, the one with the earlier members. A binary heap. */
const createQueue = () => {
  const heap: Pair[] = []
  const isBefore = (left: Pair | undefined, right: Pair | undefined): boolean =>
    left !== undefined &&
    right !== undefined &&
    (left.likeness - right.likeness || right.one - left.one || right.other - left.other) > 0
  const swap = (left: number, right: number): void => {
    const [a, b] = [heap[left], heap[right]]
    if (a === undefined || b === undefined) return
    heap[left] = b
    heap[right] = a
  }
  return {
    push: (pair: Pair): void => {
      heap.push(pair)
      for (let at = heap.length - 1; at > 0; ) {
        const above = (at - 1) >> 1
        if (!isBefore(heap[at], heap[above])) return
        swap(at, above)
        at = above
      }
    },
    pop: (): Pair | null => {
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
