import type { Declarations, Rule } from './css.ts'
import type { Compound, Element, Selector } from './selectors.ts'

/**
 * Limit of comparisons for a mail; when it is reached nothing counts as visible. The dearest newsletter needs a
 * fraction.
 */
const MAX_WORK = 800_000
const HIDDEN: Declarations = [['display', 'none', true]]

/** A rule with its steps as numbers. */
interface PlacedRule {
  readonly outer: readonly number[]
  readonly declarations: readonly Placed[]
}

/** A declaration with the key by which a later one replaces it. */
interface Placed {
  readonly key: string
  readonly declaration: Declarations[number]
}

/** An open element: the compounds that it matches, and those that its elements so far match. */
interface Open {
  readonly own: readonly number[]
  readonly inside: Set<number>
}

/**
 * Finds the declarations for an element among its open ancestors. Counts how often each outer step is open as elements
 * open and close, so that a match costs the same at any depth. The order of the ancestors is ignored.
 */
export const createMatcher = (rules: readonly Rule[]) => {
  const { compounds, pairs, numberOf, pairOf } = createNumbers()
  /** In the order of the cascade, least specific first. */
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
  /** Adds the pairs whose left side an earlier sibling matches. A pair may itself be the left side of another. */
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
    /** Opens an element, and returns its declarations. */
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
      // A typed array is sorted without a call of a comparison function.
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

/** Makes the keys of a rule's declarations once, however many selectors it has. */
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

/** Less specific rules first, equal ones in their order. */
const inOrder = (rules: readonly Rule[]): readonly { selector: Selector; declarations: Declarations }[] =>
  rules
    .flatMap(({ selectors, declarations }) => selectors.map(selector => ({ selector, declarations })))
    .toSorted((one, other) => one.selector.specificity - other.selector.specificity)

/** Numbers compounds, and pairs of adjacent compounds, from 0, each once. */
const createNumbers = () => {
  const numbers = new Map<string, number>()
  const compounds: (Compound | null)[] = []
  /** By the number of the right side. */
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

/** The numbers of compounds by a key that their elements must have; under null those without a key. */
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
