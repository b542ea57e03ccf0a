import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUILT_IN_MODEL } from '../../../../infra/models/meaning/name.ts'
import { NEEDS } from '../../../../schemas/domain/vocabulary.ts'
import { type Labelled, TUNING } from '../labelled.testing.ts'
import { createBuiltInClassifier } from './classifier.ts'
import { meaningsOf } from './meaning.ts'
import { type NoiseModel, noiseValues } from './noise.ts'
import { type Example, regress } from './regression.ts'

const FOLDER = new URL('../need-or-noise/', import.meta.url)

/** A labelled text; `isNoise` when it asks for nothing that could be done about the product. */
export interface NeedOrNoise {
  readonly text: string
  readonly isNoise: boolean
}

const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8')
const linesOf = (file: string): readonly string[] =>
  read(file)
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('# '))

// The file is written by hand in this shape.
const WRAPPERS = JSON.parse(read('wrappers.json')) as readonly string[]

/**
 * Adds each text inside of a wrapper, such as a mail's greeting or a form's labels, which must not influence the label.
 */
const wrapped = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text, at) => [text, (WRAPPERS[at % WRAPPERS.length] ?? '{text}').replace('{text}', () => text)])

/** Our own texts and the classifier's tuning texts, without questions: they are neither. */
export const NEEDS_AND_NOISE: readonly NeedOrNoise[] = [
  ...wrapped(linesOf('needs.txt')).map(text => ({ text, isNoise: false })),
  ...wrapped(linesOf('noise.txt')).map(text => ({ text, isNoise: true })),
  ...TUNING.flatMap(({ text, label }: Labelled) =>
    label === 'question' ? [] : [{ text, isNoise: !NEEDS.some(need => need === label) }],
  ),
]

/** L2 penalty of a weight. Meanings have length 1. */
const SHRINKAGE = 1
/** Noise that becomes a claim costs people more than a need that waits in Triage without one. */
const NOISE_WEIGHT = 1.5
/** Weights are stored with this many decimals. */
const DECIMALS = 3
const rounded = (weight: number): number => Number(weight.toFixed(DECIMALS)) + 0

/** Fits the likelihood of noise. Deterministic for the same texts in the same order. */
export const trainNoise = async (texts: readonly NeedOrNoise[]): Promise<NoiseModel> => {
  const { read } = createBuiltInClassifier()
  const signals = texts.map(({ text }) => ({ text, event: null }))
  const [meanings, readings] = await Promise.all([meaningsOf(signals), Promise.all(signals.map(read))])
  const examples = texts.flatMap(({ text, isNoise }, at): readonly Example[] => {
    const [meaning, reading] = [meanings[at], readings[at]]
    if (meaning == null || reading === undefined) return []
    const values = noiseValues(meaning, reading.likely, text)
    return [{ values, label: isNoise ? 1 : 0, weight: isNoise ? NOISE_WEIGHT : 1 }]
  })
  const [need = [], noise = []] = regress(examples, { classes: 2, shrinkage: SHRINKAGE })
  const [always = 0, ...weights] = noise.map((weight, at) => rounded(weight - (need[at] ?? 0)))
  return { model: BUILT_IN_MODEL, always, weights }
}

// As a program, writes `noise.json` from our own texts.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { model, always, weights } = await trainNoise(NEEDS_AND_NOISE)
  const said = `{\n  "model": "${model}",\n  "always": ${always},\n  "weights": [\n    ${weights.join(',\n    ')}\n  ]\n}\n`
  writeFileSync(new URL('./noise.json', import.meta.url), said)
}
