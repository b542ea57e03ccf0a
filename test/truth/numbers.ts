import type { TSchema } from 'typebox'
import { ReviewFigures } from '../../model/reviews/review-figures.ts'
import { registry } from '../../query-api/operations/registry.ts'

/** Answers of every shape, as read from JSON. */
export type Json = ReturnType<typeof JSON.parse>

/** A number of an answer. */
export interface FoundNumber {
  /** As the schema has it: `items[].signals`; `*` stands for any key of a record. */
  readonly path: string
  readonly value: number
  /** The objects that it is in, the nearest first. */
  readonly owners: readonly Json[]
  /** The keys that stand for `*` in the path, in their order. */
  readonly keys: readonly string[]
}

/** The parts of JSON Schema that operations declare their answers with. */
interface Declared {
  readonly type?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
}

/** The schemas one step below a schema, each with what it adds to the path. */
const below = (schema: Declared): readonly (readonly [step: string, schema: Declared])[] => [
  ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map(each => ['', each] as const),
  ...Object.entries(schema.properties ?? {}).map(([name, each]) => [`.${name}`, each] as const),
  ...Object.values(schema.patternProperties ?? {}).map(each => ['.*', each] as const),
  ...(schema.items === undefined ? [] : [['[]', schema.items] as const]),
]

/** The path of every number that answers of this schema may have, each once. */
const declaredNumbers = (schema: Declared, path = ''): readonly string[] => {
  if (schema.type === 'number' || schema.type === 'integer') return [path.replace(/^\./, '')]
  return [...new Set(below(schema).flatMap(([step, each]) => declaredNumbers(each, path + step)))]
}

/** The figures of a Product Review, whose shape its answers leave open: where they are, by operation. */
const FIGURES: Readonly<Record<string, string>> = {
  prepare_review: 'figures',
  save_review: 'figures',
  read_reviews: 'items[].figures',
}

/** The paths of the numbers that an operation answers. */
export const numbersBy = (operation: string): ReadonlySet<string> => {
  const figures = FIGURES[operation]
  const declared = declaredNumbers(registry.get(operation)?.output ?? {})
  return new Set([...declared, ...(figures === undefined ? [] : declaredNumbers(ReviewFigures, `.${figures}`))])
}

/** The numbers of all operations, as `operation.path`. */
export const allNumbers = (): readonly string[] =>
  [...registry.keys()].flatMap(name => [...numbersBy(name)].map(path => `${name}.${path}`))

/**
 * Fields whose content is open: what the call or the sender gave, as it was given. Nothing in them is the service's to
 * count.
 */
const GIVEN = new Set(['changed', 'change', 'metadata', 'record', 'arguments'])

/**
 * Every number of an answer. One that stands where the schema declares none has the path that its keys make, so that
 * no rule fits it.
 */
export const numbersOf = (answer: Json, declared: ReadonlySet<string>): readonly FoundNumber[] => {
  const found: FoundNumber[] = []
  const visit = (value: Json, steps: readonly string[], owners: readonly Json[]): void => {
    if (typeof value === 'number') found.push({ value, owners, ...placeOf(steps, declared) })
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) for (const each of value) visit(each, [...steps, '[]'], owners)
    else
      for (const [key, each] of Object.entries(value))
        if (!GIVEN.has(key)) visit(each, [...steps, `.${key}`], [value, ...owners])
  }
  visit(answer, [], [])
  return found
}

/**
 * The declared path that keys lead along: themselves where they are declared, else with `*` for one or more of them.
 */
const placeOf = (steps: readonly string[], declared: ReadonlySet<string>): Pick<FoundNumber, 'path' | 'keys'> => {
  const itself = steps.join('').replace(/^\./, '')
  if (declared.has(itself)) return { path: itself, keys: [] }
  for (let last = steps.length - 1; last >= 0; last -= 1) {
    const path = steps
      .map((step, place) => (place === last && step !== '[]' ? '.*' : step))
      .join('')
      .replace(/^\./, '')
    if (declared.has(path)) return { path, keys: [(steps[last] ?? '').slice(1)] }
  }
  return { path: itself, keys: [] }
}
