import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLASSIFICATIONS, type Classification } from '../../../../schemas/domain/vocabulary.ts'
import { type Labelled, TUNING } from '../labelled.testing.ts'
import { MODEL } from './classifier.ts'
import { type Example, fit, flat, named, scoresOf, toExample } from './fit.ts'
import { decide, type LinearModel, softmax } from './linear.ts'
import { calibrationError, type Judged, summaryOf } from './measures.testing.ts'

const FOLDS = 5
/** Weight of a text of our own set, and of a whole foreign set: a large set must not drown the others. */
const OWN_WEIGHT = 16
const SET_WEIGHT = 900
/**
 * Weight of `unclassified` beside each kind. Half of the reviews are praise, and praise that becomes a claim costs
 * people more than a problem that stays in Triage.
 */
const UNCLASSIFIED_WEIGHT = 1.5
/**
 * Below this confidence two of three labels would be wrong. `unclassified` costs a person a look, a wrong label a
 * correction.
 */
const LEAST_CONFIDENCE = 0.35
/** Sets with fewer reports, or fewer other texts, are left out of the temperature's fit. */
const LEAST_OF_A_SET = 100
const UNCLASSIFIED = CLASSIFICATIONS.indexOf('unclassified')

/**
 * A text that strangers wrote and labelled. Such sets stay outside of the repository; only weights are made from them.
 */
interface Foreign {
  readonly title: string
  readonly text: string
  readonly label: Classification
}

type Sets = ReadonlyMap<string, readonly Foreign[]>

/** Scores for an example by a model that was trained without the example's set. */
interface Unseen {
  readonly set: string
  readonly example: Example
  readonly scores: readonly number[]
}

/**
 * Fits the weights on our own set and on foreign sets, starting from the `known` weights of earlier sets. Fits
 * temperatures on unseen sets, so that the mean calibration error over the sets is least: some are harder, or labelled
 * worse, than others. Deterministic for the same items in the same order.
 */
export const train = (items: readonly Labelled[], foreign: Sets, known: LinearModel['weights'] = {}) => {
  const from = flat(known)
  const own = items.map(({ text, event, label }) => toExample(text, event ?? null, label, OWN_WEIGHT))
  const sets = new Map(
    [...foreign].map(([name, set]) => [
      name,
      set.map(({ title, text, label }) => toExample(title === '' ? text : `${title}\n\n${text}`, null, label, 1)),
    ]),
  )
  const unseen: Unseen[] = []
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const weights = fit([...own.filter((_, at) => at % FOLDS !== fold), ...balanced([...sets.values()])], from)
    for (const [at, example] of own.entries()) {
      if (at % FOLDS !== fold) continue
      // Confidence is fitted for strangers' texts. Ours are easier, so they count as one set of many.
      unseen.push({ set: 'own', example: { ...example, weight: 1 }, scores: scoresOf(weights, example) })
    }
  }
  for (const [name, set] of sets) {
    const others = [...sets.values()].filter(other => other !== set)
    const weights = fit([...own, ...balanced(others)], from)
    for (const example of balanced([set])) unseen.push({ set: name, example, scores: scoresOf(weights, example) })
  }
  const warmth = (isReport: boolean): number => {
    const those = unseen.filter(({ example }) => example.isReport === isReport)
    // A set of a single kind tells nothing about confidence.
    const each = [...Map.groupBy(those, ({ set }) => set).values()].filter(
      some => some.length >= LEAST_OF_A_SET && new Set(some.map(({ example }) => example.label)).size > 1,
    )
    const errorOf = (some: readonly Unseen[], candidate: number): number =>
      calibrationError(some.map(one => judge(one, { report: candidate, note: candidate }, LEAST_CONFIDENCE)))
    return best(0.5, 3, 0.05, candidate => -each.reduce((sum, some) => sum + errorOf(some, candidate), 0))
  }
  const temperature = { report: warmth(true), note: warmth(false) }
  const weights = named(fit([...own, ...balanced([...sets.values()])], from))
  return { model: { temperature, leastConfidence: LEAST_CONFIDENCE, weights }, unseen }
}

/** All sets as one, in which each set has the same weight, and problems, ideas and questions have equal weights. */
const balanced = (sets: readonly (readonly Example[])[]): readonly Example[] => {
  const share = SET_WEIGHT / (CLASSIFICATIONS.length - 1)
  const weighed = sets.flatMap(set => {
    const counts = CLASSIFICATIONS.map((_, label) => set.filter(example => example.label === label).length)
    return set.map(example => ({ ...example, weight: Math.min(1, share / (counts[example.label] ?? 1)) }))
  })
  const sums = CLASSIFICATIONS.map(() => 0)
  for (const { label, weight } of weighed) sums[label] = (sums[label] ?? 0) + weight
  const most = Math.max(...sums.filter((_, label) => label !== UNCLASSIFIED))
  return weighed.map(example =>
    example.label === UNCLASSIFIED
      ? { ...example, weight: example.weight * UNCLASSIFIED_WEIGHT }
      : { ...example, weight: (example.weight * most) / (sums[example.label] ?? most) },
  )
}

const likelyOf = ({ scores }: Unseen, temperature: number): readonly number[] =>
  softmax(scores.map(score => score / temperature))

const judge = (one: Unseen, { report, note }: LinearModel['temperature'], least: number): Judged => {
  const { label, confidence } = decide(likelyOf(one, one.example.isReport ? report : note), least)
  return { expected: CLASSIFICATIONS[one.example.label] ?? 'unclassified', given: label, confidence }
}

/** The first value, in steps, with the highest `worth`. */
const best = (from: number, to: number, step: number, worth: (value: number) => number): number => {
  let found = from
  let most = Number.NEGATIVE_INFINITY
  for (let count = 0; from + count * step <= to; count += 1) {
    const value = Number((from + count * step).toFixed(2))
    const given = worth(value)
    if (given > most) {
      found = value
      most = given
    }
  }
  return found
}

/** The file in Biome's format, with a line for each feature, so that a diff shows what has changed. */
const written = ({ temperature, leastConfidence, weights }: LinearModel): string => {
  const lines = Object.entries(weights).map(([name, each]) => `    "${name}": [${each.join(', ')}]`)
  return `{
  "temperature": { "report": ${temperature.report}, "note": ${temperature.note} },
  "least_confidence": ${leastConfidence},
  "weights": {
${lines.join(',\n')}
  }
}
`
}

const readSets = (folder: string): Sets => {
  const files = readdirSync(folder).filter(file => file.endsWith('.jsonl'))
  const read = (file: string): readonly Foreign[] =>
    readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      // The caller names a folder whose files have this shape.
      .map(line => JSON.parse(line) as Foreign)
  return new Map(files.toSorted().map(file => [file, read(file)]))
}

// As a program with a folder of labelled sets, fits `weights.json` further, and prints how well models without a set
// label that set.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined)
    throw new TypeError('Name the folder that has the sets of texts, each a file of JSON lines.')
  const { model, unseen } = train(TUNING, readSets(folder), MODEL.weights)
  writeFileSync(new URL('./weights.json', import.meta.url), written(model))
  for (const [set, those] of Map.groupBy(unseen, one => one.set)) {
    console.log(set.padEnd(24), summaryOf(those.map(one => judge(one, model.temperature, model.leastConfidence))))
  }
}
