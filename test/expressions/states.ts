import type { Characters, Graph } from './graph.ts'

/** A place of an expression that reads a character, told apart by which one it reads where a guard looks back at it. */
export interface State {
  readonly characters: Characters
  /** The match may end here well before one of these, or anywhere with all: nothing is tried again then. */
  readonly endsBefore: Characters
  readonly next: { readonly to: State; readonly characters: Characters; readonly isTwice: boolean }[]
}

interface Way {
  /** The place that reads next; null where the match has ended. */
  readonly read: number | null
  readonly before: Characters
  readonly behind: Characters
  readonly atStart: boolean
  readonly atEnd: boolean
}

/** More ways from one place to the next are a mistake of ours, or the author's. */
const MAX_WAYS = 20_000

/** The ways from a place to the next that read a character, each by another sequence of steps. */
const waysFrom = ({ goes, reads, ends, all }: Graph, place: number): readonly Way[] => {
  const ways: Way[] = []
  const passed = new Set<object>()
  const walk = (node: number, way: Way): void => {
    if (ways.length > MAX_WAYS) throw new Error('The expression has too many empty parts to be looked at.')
    if (reads.has(node)) ways.push({ ...way, read: node })
    if (ends.has(node)) ways.push({ ...way, read: null })
    for (const step of goes.get(node) ?? []) {
      // An engine does not repeat what reads nothing.
      if (passed.has(step)) continue
      const { to, guard } = step
      const before = way.before & guard.before
      const behind = way.behind & guard.behind
      const [atStart, atEnd] = [way.atStart && guard.atStart, way.atEnd && guard.atEnd]
      if ((before > 0n || atStart) && (behind > 0n || atEnd)) {
        passed.add(step)
        walk(to, { read: null, before, behind, atStart, atEnd })
        passed.delete(step)
      }
    }
  }
  walk(place, { read: null, before: all, behind: all, atStart: true, atEnd: true })
  return ways
}

/** Parts of the characters that no guard tells apart. */
const partsOf = (characters: Characters, ways: readonly Way[]): readonly Characters[] => {
  let parts = [characters]
  for (const { before } of ways)
    parts = parts.flatMap(part => [part & before, part & ~before].filter(kept => kept > 0n))
  return parts
}

const endsBefore = (ways: readonly Way[], part: Characters): Characters =>
  ways.reduce((sum, { read, before, behind }) => (read === null && (part & before) > 0n ? sum | behind : sum), 0n)

/**
 * The states of an expression. The first stands for the text before a match: a search begins at each of its characters,
 * unless the expression is tried at one place alone.
 */
export const statesOf = (graph: Graph, isSearched: boolean): readonly State[] => {
  const { reads, all, start } = graph
  const begin = waysFrom(graph, start)
  const places = [...reads].map(([place, { to, characters }]) => ({ place, characters, ways: waysFrom(graph, to) }))
  const searched = { place: -1, characters: all, ways: isSearched ? begin : [] }
  const made = [searched, ...places].map(({ place, characters, ways }) => ({
    place,
    ways,
    states: partsOf(characters, ways).map(
      (part): State => ({ characters: part, endsBefore: endsBefore(ways, part), next: [] }),
    ),
  }))
  const statesAt = new Map(made.map(({ place, states }) => [place, states]))
  for (const { place, states, ways } of made) {
    const reading = place === -1 ? [{ read: -1, before: all, behind: all, atStart: true, atEnd: true }, ...ways] : ways
    for (const state of states) {
      for (const { read, before, behind } of reading) {
        if (read === null || (state.characters & before) === 0n) continue
        for (const to of statesAt.get(read) ?? []) {
          const characters = to.characters & behind
          if (characters === 0n) continue
          const same = state.next.findIndex(known => known.to === to && (known.characters & characters) > 0n)
          const known = state.next[same]
          if (known === undefined) state.next.push({ to, characters, isTwice: false })
          else state.next[same] = { to, characters: known.characters | characters, isTwice: true }
        }
      }
    }
  }
  return made.flatMap(({ states }) => states)
}
