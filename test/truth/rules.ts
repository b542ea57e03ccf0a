import type { FoundNumber, Json } from './numbers.ts'
import type { Truth } from './truth.ts'

/** A call and its answer. */
export interface Asked {
  readonly operation: string
  readonly input: Json
  /** Through the app's door, or as a tool. */
  readonly via: 'app' | 'tool'
  readonly data: Json
  readonly truth: Truth
  /** When it was asked, in milliseconds since the epoch. */
  readonly at: number
}

/** What a number must be, by the truth. Null: it is not in the answer's meaning to have one here. */
type Expected = number | null

/** Which numbers it is about, as `operation.path`, and what they must be, or why the truth cannot know them. */
export type Rule =
  | { readonly numbers: RegExp; readonly expected: (number: FoundNumber, asked: Asked) => Expected }
  | { readonly numbers: RegExp; readonly because: string }

/** What a number must be by the truth, as of when its answer was asked. */
type Count = (truth: Truth, asked: Asked, number: FoundNumber) => Expected

export const rule = (numbers: RegExp, count: Count): Rule => ({
  numbers,
  expected: (number, asked) => count(asked.truth, asked, number),
})

/** What is left for one of several numbers that must add up to a total. */
export const restOf = (total: number, others: readonly number[]): number =>
  total - others.reduce((sum, other) => sum + other, 0)

/** The first rule for a number. */
export const ruleFor = (rules: readonly Rule[], name: string): Rule | undefined =>
  rules.find(({ numbers }) => numbers.test(name))

/** A wrong number, with what it should be. */
interface WrongNumber {
  readonly name: string
  readonly input: string
  readonly via: Asked['via']
  readonly of: string
  readonly value: number
  readonly expected: Expected
}

/** Numbers compared and wrong ones, as answers come. */
export interface Comparison {
  /** How many values were compared, by `operation.path`. */
  readonly compared: Map<string, number>
  readonly wrong: WrongNumber[]
  /** Values that no rule is about. */
  readonly unknown: Set<string>
}

export const emptyComparison = (): Comparison => ({ compared: new Map(), wrong: [], unknown: new Set() })

/** Quantities that are computed with fractions are equal to so many parts of themselves. */
const PRECISION = 1e-3

/** A line of a list has three digits. */
const isEqual = (value: number, expected: number): boolean =>
  Number.isInteger(expected)
    ? value === expected
    : Math.abs(value - expected) <= PRECISION * Math.max(1, expected) || value === Number(expected.toPrecision(3))

const nameOf = (owner: Json): string => String(owner?.reference ?? owner?.id ?? owner?.name ?? owner?.kind ?? '')

/** Compares the numbers of one answer with the truth. */
export const compare = (
  numbers: readonly FoundNumber[],
  asked: Asked,
  rules: readonly Rule[],
  comparison: Comparison,
): void => {
  for (const number of numbers) {
    const name = `${asked.operation}.${number.path}`
    const rule = ruleFor(rules, name)
    if (rule === undefined) comparison.unknown.add(name)
    if (rule === undefined || 'because' in rule) continue
    const expected = rule.expected(number, asked)
    comparison.compared.set(name, (comparison.compared.get(name) ?? 0) + 1)
    if (expected !== null && isEqual(number.value, expected)) continue
    comparison.wrong.push({
      name: name + (number.keys.length > 0 ? ` (${number.keys})` : ''),
      input: JSON.stringify(asked.input),
      via: asked.via,
      of: number.owners.map(nameOf).filter(Boolean).join(' in '),
      value: number.value,
      expected,
    })
  }
}
