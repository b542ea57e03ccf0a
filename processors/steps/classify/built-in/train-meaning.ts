import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUILT_IN_MODEL } from '../../../../infra/models/meaning/name.ts'
import { MEANING_NUMBERS } from '../../../../infra/models/meaning/table.ts'
import { CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import { type Labelled, TUNING } from '../labelled.testing.ts'
import { type MeaningModel, meaningsOf } from './meaning.ts'
import { type Example, regress } from './regression.ts'

/** L2 penalty of a weight. Meanings have length 1. */
const SHRINKAGE = 0.5
/** Praise that becomes a claim costs people more than a problem that stays in Triage, as in `train.ts`. */
const UNCLASSIFIED_WEIGHT = 1.5
/** Weights are stored with this many decimals. */
const DECIMALS = 3

/** Fits weights of meanings for the kinds, without concepts. Deterministic for the same texts in the same order. */
export const trainMeaning = async (texts: readonly Pick<Labelled, 'text' | 'label'>[]): Promise<MeaningModel> => {
  const meanings = await meaningsOf(texts.map(({ text }) => ({ text, event: null })))
  const examples = texts.flatMap(({ label }, at): readonly Example[] => {
    const values = meanings[at] ?? null
    const weight = label === 'unclassified' ? UNCLASSIFIED_WEIGHT : 1
    return values === null ? [] : [{ values, label: CLASSIFICATIONS.indexOf(label), weight }]
  })
  const rows = regress(examples, { classes: CLASSIFICATIONS.length, shrinkage: SHRINKAGE })
  const stored = (number: number): readonly number[] =>
    rows.map(row => Number((row[number] ?? 0).toFixed(DECIMALS)) + 0)
  return {
    model: BUILT_IN_MODEL,
    always: stored(0),
    weights: Array.from({ length: MEANING_NUMBERS }, (_, number) => stored(number + 1)),
  }
}

// As a program, writes `meaning.json` from our own labelled texts.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { model, always, weights } = await trainMeaning(TUNING)
  const lines = weights.map(row => `    [${row.join(', ')}]`)
  const said = `{\n  "model": "${model}",\n  "always": [${always.join(', ')}],\n  "weights": [\n${lines.join(',\n')}\n  ]\n}\n`
  writeFileSync(new URL('./meaning.json', import.meta.url), said)
}
