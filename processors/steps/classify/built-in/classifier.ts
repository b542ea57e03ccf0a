import type { Classifier } from '../../../../infra/models/classifier.ts'
import { featuresOf } from './features.ts'
import { decide, type LinearModel, probabilities } from './linear.ts'
import file from './weights.json' with { type: 'json' }

const VERSION = 'built-in/concepts-1'

/** What `train.ts` made of the labelled set. */
export const MODEL: LinearModel = {
  weights: file.weights,
  temperature: file.temperature,
  leastConfidence: file.least_confidence,
}

/**
 * The classifier that needs no model server: a small linear model over what the words are about, by word lists in eleven languages, and
 * over signs such as question marks. A function of the text and the event: the same always get the same label.
 */
export const createBuiltInClassifier = (): Classifier => ({
  version: VERSION,
  classify: async ({ text, event }) => decide(probabilities(MODEL, featuresOf(text, event)), MODEL.leastConfidence),
})
