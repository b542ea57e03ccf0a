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
}

/** What a number must be, by the truth. Null: it is not in the answer's meaning to have one here. */
type Expected = number | null

/** Which numbers it is about, as `operation.path`, and what they must be. */
export interface Rule {
  readonly numbers: RegExp
  readonly expected: (number: FoundNumber, asked: Asked) => Expected
}

/** The first rule for a number. */
const ruleFor = (rules: readonly Rule[], name: string): Rule | undefined =>
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
interface Comparison {
  /** How many values were compared, by `operation.path`. */
  readonly compared: Map<string, number>
  readonly wrong: WrongNumber[]
  /** Values that no rule is about. */
  readonly unknown: Set<string>
}

export const emptyComparison = (): Comparison => ({ compared: new Map(), wrong: [], unknown: new Set() })

/** Quantities that are computed with fractions are equal to so many parts of themselves. */
const PRECISION = 1e-3

const isEqual = (value: number, expected: number): boolean =>
  Number.isInteger(expected) ? value === expected : Math.abs(value - expected) <= PRECISION * Math.max(1, expected)

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
    if (rule === undefined) continue
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
