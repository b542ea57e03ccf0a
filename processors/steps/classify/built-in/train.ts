import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CLASSIFICATIONS, type Classification } from '../../../../schemas/domain/vocabulary.ts'
import { type Labelled, TUNING } from '../labelled.testing.ts'
import { FEATURES, featuresOf } from './features.ts'
import { decide, type LinearModel, softmax } from './linear.ts'

/** How much a weight must explain to differ from zero (L2); 0.5 to 3 are as good in cross-validation. */
const SHRINKAGE = 1
const ROUNDS = 300
const STEP = 0.5
const MOMENTUM = 0.9
const FOLDS = 10
/** Weights are stored with this many decimals. */
const DECIMALS = 3
const LABELS = CLASSIFICATIONS.length

interface Example {
  readonly features: readonly number[]
  readonly label: number
}

export interface Trained {
  readonly model: LinearModel
  /** For each item, the label by a model that was trained without it. */
  readonly crossValidated: readonly {
    readonly item: Labelled
    readonly given: Classification
    readonly confidence: number
  }[]
}

/**
 * Fits the weights by gradient descent on the cross-entropy, and the temperature and the least confidence on what models say of items
 * that they were not trained on. The same items in the same order give the same model.
 */
export const train = (items: readonly Labelled[]): Trained => {
  const examples = items.map(toExample)
  const unseen = examples.map((): readonly number[] => [])
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const weights = fit(examples.filter((_, at) => at % FOLDS !== fold))
    for (const [at, example] of examples.entries()) if (at % FOLDS === fold) unseen[at] = scoresOf(weights, example)
  }
  const temperature = best(0.3, 2, 0.05, candidate => -crossEntropy(unseen, examples, candidate))
  const likely = unseen.map(scores => softmax(scores.map(score => score / temperature)))
  const leastConfidence = best(0.25, 0.9, 0.01, least => usefulness(likely, examples, least))
  return {
    model: { temperature, leastConfidence, weights: named(fit(examples)) },
    crossValidated: items.map((item, at) => {
      const { label, confidence } = decide(likely[at] ?? [], leastConfidence)
      return { item, given: label, confidence }
    }),
  }
}

const INDEX = new Map(FEATURES.map((name, at) => [name, at]))

const toExample = ({ text, event, label }: Labelled): Example => ({
  features: [...featuresOf(text, event ?? null)].map(name => {
    const at = INDEX.get(name)
    if (at === undefined) throw new TypeError(`The feature '${name}' is not in FEATURES.`)
    return at
  }),
  label: CLASSIFICATIONS.indexOf(label),
})

const scoresOf = (weights: Float64Array, { features }: Example): number[] => {
  const scores = CLASSIFICATIONS.map(() => 0)
  for (const feature of features) {
    for (let label = 0; label < LABELS; label += 1) {
      scores[label] = (scores[label] ?? 0) + (weights[feature * LABELS + label] ?? 0)
    }
  }
  return scores
}

const fit = (examples: readonly Example[]): Float64Array => {
  const weights = new Float64Array(FEATURES.length * LABELS)
  const speed = new Float64Array(weights.length)
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = weights.map(weight => SHRINKAGE * weight)
    for (const example of examples) {
      const likely = softmax(scoresOf(weights, example))
      for (const feature of example.features) {
        for (let label = 0; label < LABELS; label += 1) {
          const at = feature * LABELS + label
          gradient[at] = (gradient[at] ?? 0) + (likely[label] ?? 0) - (label === example.label ? 1 : 0)
        }
      }
    }
    for (let at = 0; at < weights.length; at += 1) {
      const moved = MOMENTUM * (speed[at] ?? 0) - (STEP / examples.length) * (gradient[at] ?? 0)
      speed[at] = moved
      weights[at] = (weights[at] ?? 0) + moved
    }
  }
  return weights
}

const crossEntropy = (scores: readonly (readonly number[])[], examples: readonly Example[], temperature: number) => {
  let sum = 0
  for (const [at, { label }] of examples.entries()) {
    sum -= Math.log(softmax((scores[at] ?? []).map(score => score / temperature))[label] ?? 0)
  }
  return sum
}

/** A right label is worth as much as a wrong one costs, and `unclassified` neither: people see to what is left so. */
const usefulness = (likely: readonly (readonly number[])[], examples: readonly Example[], least: number): number => {
  let sum = 0
  for (const [at, example] of examples.entries()) {
    const { label } = decide(likely[at] ?? [], least)
    if (label !== 'unclassified') sum += CLASSIFICATIONS.indexOf(label) === example.label ? 1 : -1
  }
  return sum
}

/** The first of the values, in steps, for which `worth` is highest. */
const best = (from: number, to: number, step: number, worth: (value: number) => number): number => {
  let found = from
  for (let count = 0; from + count * step <= to; count += 1) {
    const value = Number((from + count * step).toFixed(2))
    if (worth(value) > worth(found)) found = value
  }
  return found
}

const named = (weights: Float64Array): Record<string, readonly number[]> =>
  Object.fromEntries(
    FEATURES.map((name, feature) => [
      name,
      // Adding zero makes a negative zero positive, as JSON would.
      CLASSIFICATIONS.map((_, label) => Number((weights[feature * LABELS + label] ?? 0).toFixed(DECIMALS)) + 0),
    ]),
  )

/** The file as Biome formats it: a line for each feature, so that a change shows what it changes. */
const written = ({ temperature, leastConfidence, weights }: LinearModel): string => {
  const lines = Object.entries(weights).map(([name, each]) => `    "${name}": [${each.join(', ')}]`)
  return `{
  "temperature": ${temperature},
  "least_confidence": ${leastConfidence},
  "weights": {
${lines.join(',\n')}
  }
}
`
}

// Run as a program, it makes `weights.json` anew from the part of the labelled set that is for tuning.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('./weights.json', import.meta.url), written(train(TUNING).model))
}
