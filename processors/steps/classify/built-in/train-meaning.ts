import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUILT_IN_MODEL } from '../../../../infra/models/meaning/name.ts'
import { MEANING_NUMBERS } from '../../../../infra/models/meaning/table.ts'
import { CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import { type Labelled, TUNING } from '../labelled.testing.ts'
import { softmax } from './linear.ts'
import { type MeaningModel, meaningOf } from './meaning.ts'

/** How much a weight must explain to differ from zero (L2): meanings have length 1. */
const SHRINKAGE = 0.5
const ROUNDS = 200
const STEP = 0.1
/** Praise that becomes a claim costs people more than a problem that stays in Triage, here as with concepts. */
const UNCLASSIFIED_WEIGHT = 1.5
/** Weights are stored with this many decimals. */
const DECIMALS = 3
const LABELS = CLASSIFICATIONS.length
const ROW = 1 + MEANING_NUMBERS

interface Example {
  readonly meaning: Float64Array
  /** The place of its kind in CLASSIFICATIONS. */
  readonly label: number
  readonly weight: number
}

/**
 * Fits what meanings say of kinds, without the concepts: multinomial logistic regression by Adam over all examples at
 * each step. The same texts in the same order give the same weights.
 */
export const trainMeaning = (texts: readonly Pick<Labelled, 'text' | 'label'>[]): MeaningModel => {
  const examples = texts.flatMap(({ text, label }): readonly Example[] => {
    const meaning = meaningOf({ text, event: null })
    const weight = label === 'unclassified' ? UNCLASSIFIED_WEIGHT : 1
    return meaning === null ? [] : [{ meaning, label: CLASSIFICATIONS.indexOf(label), weight }]
  })
  // A row of weights for each class: what is always added, and what each number of a meaning adds.
  const weights = new Float64Array(LABELS * ROW)
  const mean = new Float64Array(weights.length)
  const square = new Float64Array(weights.length)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const gradient = weights.map((weight, at) => (at % ROW === 0 ? 0 : SHRINKAGE * weight))
    for (const { meaning, label, weight } of examples) {
      const likely = softmax(CLASSIFICATIONS.map((_, of) => scoreOf(weights, of, meaning)))
      for (const [of, value] of likely.entries())
        addTo(gradient, of, meaning, weight * (value - (of === label ? 1 : 0)))
    }
    const pace = (STEP * Math.sqrt(1 - 0.99 ** round)) / (1 - 0.9 ** round)
    for (let at = 0; at < weights.length; at += 1) {
      const slope = gradient[at] ?? 0
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope
      square[at] = 0.99 * (square[at] ?? 0) + 0.01 * slope * slope
      weights[at] = (weights[at] ?? 0) - (pace * (mean[at] ?? 0)) / (Math.sqrt(square[at] ?? 0) + 1e-8)
    }
  }
  const stored = (number: number): readonly number[] =>
    CLASSIFICATIONS.map((_, of) => Number((weights[of * ROW + number] ?? 0).toFixed(DECIMALS)) + 0)
  return {
    model: BUILT_IN_MODEL,
    always: stored(0),
    weights: Array.from({ length: MEANING_NUMBERS }, (_, number) => stored(number + 1)),
  }
}

const scoreOf = (weights: Float64Array, of: number, meaning: Float64Array): number => {
  let score = weights[of * ROW] ?? 0
  for (let at = 0; at < MEANING_NUMBERS; at += 1) score += (weights[of * ROW + 1 + at] ?? 0) * (meaning[at] ?? 0)
  return score
}

const addTo = (gradient: Float64Array, of: number, meaning: Float64Array, error: number): void => {
  gradient[of * ROW] = (gradient[of * ROW] ?? 0) + error
  for (let at = 0; at < MEANING_NUMBERS; at += 1)
    gradient[of * ROW + 1 + at] = (gradient[of * ROW + 1 + at] ?? 0) + error * (meaning[at] ?? 0)
}

// Run as a program, it makes `meaning.json` anew of our own labelled texts.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { model, always, weights } = trainMeaning(TUNING)
  const lines = weights.map(row => `    [${row.join(', ')}]`)
  const said = `{\n  "model": "${model}",\n  "always": [${always.join(', ')}],\n  "weights": [\n${lines.join(',\n')}\n  ]\n}\n`
  writeFileSync(new URL('./meaning.json', import.meta.url), said)
}
