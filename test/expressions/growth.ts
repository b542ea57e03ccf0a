import { type Characters, graphOf } from './graph.ts'
import { type State, statesOf } from './states.ts'

/** How the work of an expression grows with a text, at worst, and what a text repeats that shows it. */
export type Growth =
  | { readonly kind: 'linear' }
  | { readonly kind: 'polynomial' | 'exponential'; readonly repeated: string }

/** More triples of states are a sign of an expression that nobody can read either. */
const MAX_LOOKS = 400_000

/** The states that each state comes back to, and that come back to it: Tarjan's components, by number. */
const componentsOf = (states: readonly State[]): ReadonlyMap<State, number> => {
  const component = new Map<State, number>()
  const low = new Map<State, number>()
  const stack: State[] = []
  const visit = (state: State): number => {
    const order = low.size
    low.set(state, order)
    stack.push(state)
    let lowest = order
    for (const { to } of state.next) {
      if (!low.has(to)) lowest = Math.min(lowest, visit(to))
      else if (!component.has(to)) lowest = Math.min(lowest, low.get(to) ?? lowest)
    }
    low.set(state, lowest)
    if (lowest === order)
      for (let at = stack.lastIndexOf(state); stack.length > at; ) component.set(stack.pop() ?? state, order)
    return lowest
  }
  for (const state of states) if (!low.has(state)) visit(state)
  return component
}

/** The states that reach this one, however far it is. */
const leadingTo = (goal: State, states: readonly State[]): ReadonlySet<State> => {
  const found = new Set([goal])
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const state of states) if (state.next.some(({ to }) => found.has(to))) found.add(state)
  }
  return found
}

interface Step {
  readonly states: readonly State[]
  readonly from: Step | null
  readonly characters: Characters
}

/**
 * A text that leads several states at once to others, each reading the same characters and none leaving its component
 * where it has one; null where there is none.
 */
const leads = (
  from: readonly State[],
  isThere: (states: readonly State[]) => boolean,
  isWithin: (state: State, place: number) => boolean,
  numberOf: ReadonlyMap<State, number>,
): Step | null => {
  const keyOf = (states: readonly State[]): number =>
    states.reduce((key, state) => key * numberOf.size + (numberOf.get(state) ?? 0), 0)
  const seen = new Set([keyOf(from)])
  let steps: Step[] = [{ states: from, from: null, characters: 0n }]
  while (steps.length > 0) {
    const further: Step[] = []
    for (const step of steps) {
      const pick = (place: number, states: readonly State[], characters: Characters): Step | null => {
        const state = step.states[place]
        if (state === undefined) {
          const reached = { states, from: step, characters }
          if (isThere(states)) return reached
          const key = keyOf(states)
          if (!seen.has(key)) further.push(reached)
          seen.add(key)
          if (seen.size > MAX_LOOKS) throw new Error('The expression has too many parts to be looked at.')
          return null
        }
        for (const { to, characters: read } of state.next) {
          // The one in the middle parts from the first to go where the last is.
          const tried = place === 1 ? read : read & ~state.endsBefore
          const both = place === 0 ? tried : characters & tried
          if (both === 0n || !isWithin(to, place)) continue
          const found = pick(place + 1, [...states, to], both)
          if (found !== null) return found
        }
        return null
      }
      const found = pick(0, [], 0n)
      if (found !== null) return found
    }
    steps = further
  }
  return null
}

/**
 * Decides by the states whether two readings of one text can part and both go on for ever: then an engine that goes
 * back tries each place where they part. Within one loop these are more with each repetition; in two, of which one is
 * behind the other, as many as the text is long. The text before a match is a loop, too. (Weber and Seidl, "On the
 * degree of ambiguity of finite automata", 1991.)
 */
export const growthOf = (source: string, flags: string): Growth => {
  const graph = graphOf(source, flags)
  const states = statesOf(graph, !flags.includes('y'))
  const component = componentsOf(states)
  const number = new Map(states.map((state, place) => [state, place]))
  const textOf = (step: Step | null): string =>
    step === null || step.from === null ? '' : textOf(step.from) + graph.example(step.characters)
  const isIn = (state: State, loop: State): boolean => component.get(state) === component.get(loop)
  const loops = states.filter(state =>
    state.next.some(({ to, characters }) => isIn(to, state) && (characters & ~state.endsBefore) > 0n),
  )
  for (const loop of loops) {
    const isWithin = (state: State) => isIn(state, loop)
    const twice = loop.next.find(({ to, isTwice }) => isTwice && isWithin(to))
    if (twice !== undefined) return { kind: 'exponential', repeated: graph.example(twice.characters) }
    const parted = leads(
      [loop, loop],
      pair =>
        pair[0] !== pair[1] && leads(pair, ([one, other]) => one === loop && other === loop, isWithin, number) !== null,
      isWithin,
      number,
    )
    if (parted !== null) return { kind: 'exponential', repeated: textOf(parted) }
  }
  for (const other of loops) {
    const leadsThere = leadingTo(other, states)
    for (const one of loops) {
      if (!leadsThere.has(one) || component.get(one) === component.get(other)) continue
      const found = leads(
        [one, one, other],
        ([first, second, third]) => first === one && second === other && third === other,
        (state, place) => (place === 1 ? leadsThere.has(state) : isIn(state, place === 0 ? one : other)),
        number,
      )
      if (found !== null) return { kind: 'polynomial', repeated: textOf(found) }
    }
  }
  return graph.looksFarBack ? { kind: 'polynomial', repeated: '(what is looked back over)' } : { kind: 'linear' }
}
