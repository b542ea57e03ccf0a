import type { Declarations, Rule } from './css.ts'
import type { Compound, Element, Selector } from './selectors.ts'

/** Comparisons for a mail. The dearest newsletter takes a small part; behind the last one nothing counts as seen. */
const MAX_WORK = 800_000
const HIDDEN: Declarations = [['display', 'none', true]]

/** By the numbers of what its steps are. */
interface PlacedRule {
  readonly outer: readonly number[]
  readonly declarations: readonly Placed[]
}

/** A declaration, by what a later one must name to replace it. */
interface Placed {
  readonly key: string
  readonly declaration: Declarations[number]
}

/** An element that is open: the compounds that it is, and those that its elements so far are. */
interface Open {
  readonly own: readonly number[]
  readonly inside: Set<number>
}

/**
 * Says what rules declare for an element among those that are open around it. How often each outer step is open is
 * counted as elements open and close, so that asking costs the same at any depth; in which order they stand is not
 * looked at.
 */
export const createMatcher = (rules: readonly Rule[]) => {
  const { compounds, pairs, numberOf, pairOf } = createNumbers()
  /** By their own number; their places are the order of the cascade, least specific first. */
  const placed: PlacedRule[] = []
  const byNumber = new Map<number, number[]>()
  const placedOf = createPlaced()
  for (const { selector, declarations } of inOrder(rules)) {
    const numbers: number[] = []
    for (const { compound, after } of selector.steps) {
      const number = numberOf(compound)
      const left = after === 'beside' ? numbers.pop() : undefined
      numbers.push(left === undefined ? number : pairOf(left, number))
    }
    const own = numbers.pop() ?? 0
    const same = byNumber.get(own) ?? []
    same.push(placed.length)
    byNumber.set(own, same)
    placed.push({ outer: numbers, declarations: placedOf(declarations) })
  }
  const index = indexOf(compounds)
  const lefts = new Set(Array.from(pairs.values()).flatMap(same => same.map(({ left }) => left)))
  const openOf = new Uint32Array(compounds.length)
  const open: Open[] = [{ own: [], inside: new Set() }]
  let work = 0

  const compoundsOf = (element: Element): number[] => {
    const keys = new Set([
      null,
      element.name,
      `#${element.attributes.id?.toLowerCase()}`,
      ...Array.from(element.classes, name => `.${name}`),
    ])
    const own: number[] = []
    for (const key of keys) {
      for (const number of index.get(key) ?? []) {
        const conditions = compounds[number]?.conditions ?? []
        for (const { cost } of conditions) work += cost
        if (work > MAX_WORK) return own
        if (conditions.every(({ holds }) => holds(element))) own.push(number)
      }
    }
    return own
  }
  /** Adds those that it is beside what stood before it; a pair may be the left of another. */
  const addPairs = (own: number[]): readonly number[] => {
    const before = open.at(-1)?.inside
    for (const number of before === undefined || before.size === 0 ? [] : own) {
      for (const { left, pair } of pairs.get(number) ?? []) {
        work += 1
        if (before?.has(left)) own.push(pair)
      }
    }
    return own
  }
  const holds = ({ outer }: PlacedRule): boolean => {
    work += 1 + outer.length
    return outer.every(number => (openOf[number] ?? 0) > 0)
  }

  return {
    /** Answers what is declared for it. */
    open: (element: Element): Declarations => {
      const own = work > MAX_WORK ? [] : addPairs(compoundsOf(element))
      const matching: number[] = []
      for (const number of own) {
        for (const at of byNumber.get(number) ?? []) {
          if (work > MAX_WORK) break
          if (holds(placed[at] ?? NONE)) matching.push(at)
        }
      }
      const last = new Map<string, Declarations[number]>()
      // As numbers they are put in order without a call for each two of them.
      for (const at of Uint32Array.from(matching).sort()) {
        const declarations = placed[at]?.declarations ?? []
        work += declarations.length
        for (const { key, declaration } of declarations) last.set(key, declaration)
      }
      for (const number of own) {
        openOf[number] = (openOf[number] ?? 0) + 1
        if (lefts.has(number)) open.at(-1)?.inside.add(number)
      }
      open.push({ own, inside: new Set() })
      return work > MAX_WORK ? HIDDEN : [...last.values()]
    },
    close: (): void => {
      for (const number of open.length > 1 ? (open.pop()?.own ?? []) : []) openOf[number] = (openOf[number] ?? 0) - 1
    },
  }
}

const NONE: PlacedRule = { outer: [], declarations: [] }

/**
 * Places the declarations of a rule once, however many selectors it has: their keys are made before any element asks.
 */
const createPlaced = () => {
  const known = new Map<Declarations, readonly Placed[]>()
  return (declarations: Declarations): readonly Placed[] => {
    const placed =
      known.get(declarations) ??
      declarations.map(declaration => ({ key: `${declaration[0]} ${declaration[2]}`, declaration }))
    known.set(declarations, placed)
    return placed
  }
}

/** The less specific first, and of the same those that stand first. */
const inOrder = (rules: readonly Rule[]): readonly { selector: Selector; declarations: Declarations }[] =>
  rules
    .flatMap(({ selectors, declarations }) => selectors.map(selector => ({ selector, declarations })))
    .toSorted((one, other) => one.selector.specificity - other.selector.specificity)

/** Compounds and pairs of what stands beside each other, each once, and their numbers from 0. */
const createNumbers = () => {
  const numbers = new Map<string, number>()
  const compounds: (Compound | null)[] = []
  /** By the number of what stands on the right. */
  const pairs = new Map<number, { readonly left: number; readonly pair: number }[]>()
  const numberFor = (text: string, compound: Compound | null): number => {
    const number = numbers.get(text) ?? compounds.length
    if (number === compounds.length) compounds.push(compound)
    numbers.set(text, number)
    return number
  }
  return {
    compounds,
    pairs,
    numberOf: (compound: Compound): number => numberFor(compound.text, compound),
    pairOf: (left: number, right: number): number => {
      const known = compounds.length
      const pair = numberFor(`${left} + ${right}`, null)
      if (pair === known) pairs.get(right)?.push({ left, pair }) ?? pairs.set(right, [{ left, pair }])
      return pair
    },
  }
}

/** The numbers of compounds by a key that an element of them has; null for those that any may be. */
const indexOf = (compounds: readonly (Compound | null)[]): ReadonlyMap<string | null, readonly number[]> => {
  const index = new Map<string | null, number[]>()
  for (const [number, compound] of compounds.entries()) {
    if (compound === null) continue
    const keys = compound.conditions.flatMap(({ key }) => key ?? [])
    const key = keys.find(one => one.startsWith('#')) ?? keys.find(one => one.startsWith('.')) ?? keys[0] ?? null
    const numbers = index.get(key)
    if (numbers === undefined) index.set(key, [number])
    else numbers.push(number)
  }
  return index
}
