import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CLASSIFICATIONS, type Classification } from '../../../../schemas/domain/vocabulary.ts'
import { HELD_OUT, type Labelled, TUNING } from '../labelled.testing.ts'
import { createBuiltInClassifier, MODEL } from './classifier.ts'
import { train } from './train.ts'

/** What an item is, and what it was said to be. */
interface Judged {
  readonly expected: Classification
  readonly given: Classification
  readonly confidence: number
}

const share = (part: number, total: number): number => (total === 0 ? 0 : part / total)

const accuracy = (judged: readonly Judged[]): number =>
  share(judged.filter(({ expected, given }) => given === expected).length, judged.length)

/** Of those given the label, how many have it; of those that have it, how many were given it. */
const precisionAndRecall = (judged: readonly Judged[], label: Classification) => {
  const right = judged.filter(({ expected, given }) => expected === label && given === label).length
  return {
    precision: share(right, judged.filter(({ given }) => given === label).length),
    recall: share(right, judged.filter(({ expected }) => expected === label).length),
  }
}

/** How far the confidence of a given label is from how often such labels are right, on average over tenths of confidence. */
const calibrationError = (judged: readonly Judged[]): number => {
  const labelled = judged.filter(({ given }) => given !== 'unclassified')
  const bins = Map.groupBy(labelled, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)))
  let sum = 0
  for (const bin of bins.values()) {
    const confidence = bin.reduce((total, each) => total + each.confidence, 0)
    sum += Math.abs(confidence - accuracy(bin) * bin.length)
  }
  return share(sum, labelled.length)
}

/** A line for each label: what its items were said to be, and how well it was found. */
const confusion = (judged: readonly Judged[]): readonly string[] => [
  `accuracy ${accuracy(judged).toFixed(3)} of ${judged.length}, calibration error ${calibrationError(judged).toFixed(3)}`,
  `${'expected \\ given'.padEnd(16)}${CLASSIFICATIONS.map(label => label.padStart(14)).join('')}     precision  recall`,
  ...CLASSIFICATIONS.map(expected => {
    const row = CLASSIFICATIONS.map(label => judged.filter(each => each.expected === expected && each.given === label))
    const { precision, recall } = precisionAndRecall(judged, expected)
    const counts = row.map(each => String(each.length).padStart(14)).join('')
    return `${expected.padEnd(16)}${counts}${precision.toFixed(2).padStart(14)}${recall.toFixed(2).padStart(8)}`
  }),
]

type Floors = Readonly<Record<Classification, { readonly precision: number; readonly recall: number }>>

const trained = train(TUNING)

const assertAtLeast = (t: TestContext, judged: readonly Judged[], leastAccuracy: number, floors: Floors): void => {
  for (const line of confusion(judged)) t.diagnostic(line)
  assert.ok(accuracy(judged) >= leastAccuracy, `accuracy ${accuracy(judged)}`)
  for (const label of CLASSIFICATIONS) {
    const { precision, recall } = precisionAndRecall(judged, label)
    assert.ok(precision >= floors[label].precision, `precision of ${label} ${precision}`)
    assert.ok(recall >= floors[label].recall, `recall of ${label} ${recall}`)
  }
  assert.ok(calibrationError(judged) <= 0.08, `calibration error ${calibrationError(judged)}`)
}

test('the labelled set is large, has every label in both parts, and no text twice', () => {
  const all = [...TUNING, ...HELD_OUT]
  assert.ok(all.length >= 400)
  assert.equal(new Set(all.map(({ text }) => text)).size, all.length)
  for (const part of [TUNING, HELD_OUT]) {
    for (const label of CLASSIFICATIONS) assert.ok(part.filter(item => item.label === label).length >= 40, label)
    assert.ok(part.every(({ label, text }) => CLASSIFICATIONS.includes(label) && text.trim() !== ''))
  }
})

test('the weights are what training on the tuning part makes, to the last digit', () => {
  assert.deepEqual(trained.model, MODEL)
})

test('items of the tuning part get their label by models trained without them', t => {
  const judged = trained.crossValidated.map(({ item, given, confidence }) => ({
    expected: item.label,
    given,
    confidence,
  }))
  assertAtLeast(t, judged, 0.9, {
    problem: { precision: 0.91, recall: 0.9 },
    idea: { precision: 0.91, recall: 0.84 },
    question: { precision: 0.91, recall: 0.9 },
    unclassified: { precision: 0.8, recall: 0.9 },
  })
})

test('items that were held out get their label', async t => {
  const classifier = createBuiltInClassifier()
  const judge = async ({ label, text, event }: Labelled): Promise<Judged> => {
    const given = await classifier.classify({ text, event: event ?? null })
    return { expected: label, given: given.label, confidence: given.confidence }
  }
  assertAtLeast(t, await Promise.all(HELD_OUT.map(judge)), 0.87, {
    problem: { precision: 0.85, recall: 0.86 },
    idea: { precision: 0.92, recall: 0.83 },
    question: { precision: 0.88, recall: 0.84 },
    unclassified: { precision: 0.77, recall: 0.89 },
  })
})
