import type { Classifier } from '../../../../infra/models/classifier.ts'
import { CPU_BUDGET_MS, withinCpu } from '../../../../infra/runtime/cpu-budget.ts'
import { giveTurn } from '../../../../infra/runtime/turns.ts'
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
 * Rejects with `too_costly` for a text that uses up its CPU budget.
 */
export const createBuiltInClassifier = (cpuBudgetMs = CPU_BUDGET_MS): Classifier => ({
  version: VERSION,
  classify: async ({ text, event }) => {
    await giveTurn()
    return withinCpu(cpuBudgetMs, () => decide(probabilities(MODEL, featuresOf(text, event)), MODEL.leastConfidence))
  },
})
