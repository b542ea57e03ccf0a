import { CLASSIFICATIONS, type Classification } from '../../../../schemas/domain/vocabulary.ts'

/** The expected label and the given one. */
export interface Judged {
  readonly expected: Classification
  readonly given: Classification
  readonly confidence: number
}

const share = (part: number, total: number): number => (total === 0 ? 0 : part / total)

export const accuracy = (judged: readonly Judged[]): number =>
  share(judged.filter(({ expected, given }) => given === expected).length, judged.length)

/** Precision: the part of the given labels that is right. Recall: the part of the expected labels that was given. */
export const precisionAndRecall = (judged: readonly Judged[], label: Classification) => {
  const right = judged.filter(({ expected, given }) => expected === label && given === label).length
  return {
    precision: share(right, judged.filter(({ given }) => given === label).length),
    recall: share(right, judged.filter(({ expected }) => expected === label).length),
  }
}

/**
 * Mean distance between the confidence of given labels and the part of them that is right, over tenths of confidence.
 */
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

/** A line for each label: labels that were given to its items, with precision and recall. */
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

/** Mean F1 (harmonic mean of precision and recall) of the kinds among the expected labels. */
export const macroF1 = (judged: readonly Judged[]): number => {
  const kinds = CLASSIFICATIONS.filter(
    label => label !== 'unclassified' && judged.some(({ expected }) => expected === label),
  )
  const each = kinds.map(label => {
    const { precision, recall } = precisionAndRecall(judged, label)
    return share(2 * precision * recall, precision + recall)
  })
  return share(
    each.reduce((sum, value) => sum + value, 0),
    each.length,
  )
}

/** One line: the number of items, F1 by kind, the calibration error, and the part that was left unclassified. */
export const summaryOf = (judged: readonly Judged[]): string => {
  const sure = judged.filter(({ given, confidence }) => given !== 'unclassified' && confidence >= 0.9)
  const kinds = CLASSIFICATIONS.slice(0, 3).map(label => {
    const { precision, recall } = precisionAndRecall(judged, label)
    return `${label} ${precision.toFixed(2)}/${recall.toFixed(2)}`
  })
  return [
    `${judged.length} texts: macro F1 ${macroF1(judged).toFixed(3)} (precision/recall ${kinds.join(', ')})`,
    `calibration error ${calibrationError(judged).toFixed(3)}`,
    `right at 0.9 and more ${accuracy(sure).toFixed(3)} of ${sure.length}`,
    `unclassified ${share(judged.filter(({ given }) => given === 'unclassified').length, judged.length).toFixed(2)}`,
  ].join(', ')
}
