import type { Classifier, Reading } from '../../../../infra/models/classifier.ts'
import { CPU_BUDGET_MS } from '../../../../infra/runtime/cpu-budget.ts'
import { isAssayError } from '../../../../infra/runtime/errors.ts'
import { inTimeBoundParts } from '../../../../infra/runtime/in-parts.ts'
import { featuresOf } from './features.ts'
import { decide, type LinearModel, probabilities } from './linear.ts'
import file from './weights.json' with { type: 'json' }

type PendingSignal = Parameters<Classifier['classify']>[0]

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
 * Rejects with `too_costly` for a text that uses up its CPU budget. What is asked at the same time shares a watchdog.
 */
export const createBuiltInClassifier = (cpuBudgetMs = CPU_BUDGET_MS): Required<Classifier> => {
  let pending: (PendingSignal & PromiseWithResolvers<Reading>)[] = []

  const answer = async (): Promise<void> => {
    const these = pending
    pending = []
    try {
      const readings = await inTimeBoundParts(these, cpuBudgetMs, ({ text, event }) => {
        const signs = featuresOf(text, event)
        return { likely: probabilities(MODEL, signs), signs }
      })
      for (const [index, { resolve, reject }] of these.entries()) {
        const reading = readings[index]
        if (reading === undefined || isAssayError(reading)) reject(reading)
        else resolve(reading)
      }
    } catch (error) {
      for (const { reject } of these) reject(error)
    }
  }

  const read = (input: PendingSignal): Promise<Reading> => {
    const question = { ...input, ...Promise.withResolvers<Reading>() }
    if (pending.push(question) === 1) queueMicrotask(answer)
    return question.promise
  }
  return {
    version: VERSION,
    read,
    classify: async input => decide((await read(input)).likely, MODEL.leastConfidence),
  }
}
