import { CLASSIFICATIONS, type Classification } from '../../../../schemas/domain/vocabulary.ts'

/** What an item is, and what it was said to be. */
export interface Judged {
  readonly expected: Classification
  readonly given: Classification
  readonly confidence: number
}

const share = (part: number, total: number): number => (total === 0 ? 0 : part / total)

export const accuracy = (judged: readonly Judged[]): number =>
  share(judged.filter(({ expected, given }) => given === expected).length, judged.length)

/** Of those given the label, how many have it; of those that have it, how many were given it. */
export const precisionAndRecall = (judged: readonly Judged[], label: Classification) => {
  const right = judged.filter(({ expected, given }) => expected === label && given === label).length
  return {
    precision: share(right, judged.filter(({ given }) => given === label).length),
    recall: share(right, judged.filter(({ expected }) => expected === label).length),
  }
}

/** How far the confidence of a given label is from how often such labels are right, on average over tenths of confidence. */
export const calibrationError = (judged: readonly Judged[]): number => {
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
export const confusion = (judged: readonly Judged[]): readonly string[] => [
  `accuracy ${accuracy(judged).toFixed(3)} of ${judged.length}, calibration error ${calibrationError(judged).toFixed(3)}`,
  `${'expected \\ given'.padEnd(16)}${CLASSIFICATIONS.map(label => label.padStart(14)).join('')}     precision  recall`,
  ...CLASSIFICATIONS.map(expected => {
    const row = CLASSIFICATIONS.map(label => judged.filter(each => each.expected === expected && each.given === label))
    const { precision, recall } = precisionAndRecall(judged, expected)
    const counts = row.map(each => String(each.length).padStart(14)).join('')
    return `${expected.padEnd(16)}${counts}${precision.toFixed(2).padStart(14)}${recall.toFixed(2).padStart(8)}`
  }),
]
