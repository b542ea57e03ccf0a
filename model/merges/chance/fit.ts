import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createBuiltInEmbedder } from '../../../infra/models/built-in-embedder.ts'
import { BUILT_IN_MODEL } from '../../../infra/models/meaning/name.ts'
import { createTextsInOrder } from '../../claims/texts-in-order.ts'
import { MEANING_FEATURES, meaningFeaturesOf } from './by-meaning.ts'
import {
  CHANCES,
  type ChanceModel,
  crowdOf,
  FEATURES,
  featuresOf,
  logistic,
  logit,
  logOddsOf,
  OTHERS,
} from './chance.ts'
import { fitLogistic, type LabelledFeatures } from './logistic-regression.ts'

/** A tracker's report with the ids that people marked as duplicates. Reports are in the order of time. */
export interface Report {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly created_at: string
  readonly duplicate_of: readonly string[]
}

const BATCH = 100

/** Features of a pair by words, and by vectors. */
interface SeenPair extends LabelledFeatures {
  readonly meaning: readonly number[]
}

/** Pairs that the pipeline would see if the reports came one after the other: each with its best earlier candidates. */
export const pairsOf = async (reports: readonly Report[]): Promise<readonly SeenPair[]> => {
  const texts = reports.map(({ title, text }) => `${title}\n\n${text}`)
  const embedder = createBuiltInEmbedder()
  const vectors: Float32Array[] = []
  for (let from = 0; from < texts.length; from += BATCH) {
    vectors.push(...(await embedder.embed(texts.slice(from, from + BATCH))))
  }
  const inOrder = createTextsInOrder({ model: BUILT_IN_MODEL, vectors })
  const timeOf = (place: number) => new Date(reports[place]?.created_at ?? 0)

  const pairs: SeenPair[] = []
  for (const [place, report] of reports.entries()) {
    inOrder.add(texts[place] ?? '')
    const found = inOrder.nearLast().slice(0, OTHERS)
    for (const one of found.slice(0, CHANCES)) {
      const others = found.filter(other => other !== one)
      const features = featuresOf({
        occurredAt: timeOf(place),
        compared: one.compared,
        around: crowdOf(others.map(({ compared }) => compared?.words ?? 0)),
        otherOccurredAt: timeOf(one.place),
        // The sets do not name authors.
        mayBeSeries: true,
      })
      const other = reports[one.place]
      pairs.push({
        features,
        meaning: meaningFeaturesOf(one.similarity, crowdOf(others.map(({ similarity }) => similarity))),
        same: other !== undefined && (report.duplicate_of.includes(other.id) || other.duplicate_of.includes(report.id)),
      })
    }
  }
  return pairs
}

/** Pairs of one span of a tracker's reports. */
export interface FitSet {
  readonly tracker: string
  readonly pairs: readonly LabelledFeatures[]
}

/** Fits on sets with the same weight for each tracker. */
const fitEvenly = (sets: readonly FitSet[]): ChanceModel => {
  const spans = Map.groupBy(sets, ({ tracker }) => tracker)
  const all = sets.reduce((sum, { pairs }) => sum + pairs.length, 0)
  return fitLogistic(
    sets.flatMap(({ tracker, pairs }) => {
      const size = spans.get(tracker)?.reduce((sum, one) => sum + one.pairs.length, 0) ?? 1
      return pairs.map(pair => ({ ...pair, weight: all / spans.size / size }))
    }),
  )
}

/** A model that has not seen the set's tracker; with a single tracker, the model of all sets. */
const unseen = (sets: readonly FitSet[], { tracker }: FitSet): ChanceModel => {
  const others = sets.filter(other => other.tracker !== tracker)
  return fitEvenly(others.length === 0 ? sets : others)
}

/**
 * Fits the weights on all sets, and their scale on models that have not seen each tracker: trackers differ in the
 * similarity of their reports and in the number of marked duplicates.
 */
export const fit = (sets: readonly FitSet[]): ChanceModel => {
  const ofAllSets = fitEvenly(sets)
  const models = new Map(sets.map(set => [set.tracker, unseen(sets, set)]))
  const said = sets.map(({ tracker, pairs }) => ({
    tracker,
    pairs: pairs.map(({ features, same }) => ({
      features: [logOddsOf(models.get(tracker) ?? ofAllSets, features)],
      same,
    })),
  }))
  const { intercept, means, weights } = fitEvenly(said)
  const [slope, mean] = [weights[0] ?? 1, means[0] ?? 0]
  return {
    intercept: intercept + slope * (ofAllSets.intercept - mean),
    means: ofAllSets.means,
    weights: ofAllSets.weights.map(weight => slope * weight),
  }
}

/** Best pairs in the printed report, for each hundred reports. */
const REPORTED_SHARES = [8, 12, 16, 20]

const reportShares = (
  name: string,
  pairs: readonly LabelledFeatures[],
  reports: readonly Report[],
  model: ChanceModel,
): void => {
  const marked = reports.reduce((sum, { duplicate_of }) => sum + duplicate_of.length, 0) / 2
  const ranked = pairs
    .map(({ features, same }) => ({ same, chance: logistic(logOddsOf(model, features)) }))
    .sort((one, other) => other.chance - one.chance)
  const lines = REPORTED_SHARES.map(share => {
    const best = ranked.slice(0, Math.round((share / 100) * reports.length))
    const right = best.filter(({ same }) => same).length
    return `${share} %: ${(right / best.length).toFixed(3)} right, ${(right / marked).toFixed(3)} of all, from ${best.at(-1)?.chance.toFixed(3)}`
  })
  process.stdout.write(`${name} ${lines.join('; ')}\n`)
}

const rounded = (values: readonly number[]) => values.map(value => Number(value.toFixed(4)) + 0)

const write = (file: string, { intercept, means, weights }: ChanceModel, said: object): void => {
  const model = { ...said, intercept: Number(intercept.toFixed(4)), means: rounded(means), weights: rounded(weights) }
  writeFileSync(new URL(file, import.meta.url), `${JSON.stringify(model, null, 2)}\n`)
}

/** Half of the pairs' texts have their twin before them; in use one in five is assumed to have one. */
const HAVE_TWIN = 0.2

/** Fits the features by vectors on pairs in other words. All first texts come before the second ones. */
const fitMeaning = async (reports: readonly Report[]): Promise<ChanceModel> => {
  const ordered = [...reports.filter((_, place) => place % 2 === 0), ...reports.filter((_, place) => place % 2 === 1)]
  const pairs = await pairsOf(ordered)
  const model = fitLogistic(pairs.map(({ meaning, same }) => ({ features: meaning, same })))
  return { ...model, intercept: model.intercept + logit(HAVE_TWIN) }
}

const readReports = (file: string): readonly Report[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Report => JSON.parse(line))

// As a program, `fit.ts <folder>` writes `weights.json` from the folder's sets: one report a line as JSON, in files
// named `<tracker>-<span>.jsonl`. It prints how well models that saw other trackers rank each set's pairs. `fit.ts
// --meaning <file>` writes `by-meaning.json` from pairs in other words. Run `npm run format` afterwards.
const [, program, folder, pairsFile] = process.argv
if (program === fileURLToPath(import.meta.url) && folder === '--meaning' && pairsFile !== undefined) {
  const model = await fitMeaning(readReports(pairsFile))
  write('./by-meaning.json', model, { model: BUILT_IN_MODEL, features: MEANING_FEATURES })
} else if (program === fileURLToPath(import.meta.url) && folder !== undefined) {
  const names = readdirSync(folder).filter(name => name.endsWith('.jsonl'))
  const read = names.map(name => readReports(join(folder, name)))
  const sets: FitSet[] = []
  for (const [at, name] of names.entries()) {
    sets.push({ tracker: name.split(/[-.]/, 1)[0] ?? name, pairs: await pairsOf(read[at] ?? []) })
  }
  for (const [at, set] of sets.entries()) reportShares(names[at] ?? '', set.pairs, read[at] ?? [], unseen(sets, set))
  write('./weights.json', fit(sets), { features: FEATURES })
}
