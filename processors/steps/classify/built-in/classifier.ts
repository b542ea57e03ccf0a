import { readTable } from '../../../../infra/models/meaning/table.ts'
import type { Classifier, Reading } from '../../../../infra/models/port.ts'
import { CPU_BUDGET_MS, inTimeBoundParts } from '../../../../infra/runtime/cpu-budget.ts'
import { isAssayError } from '../../../../infra/runtime/errors.ts'
import { read } from './features.ts'
import { decide, type LinearModel, probabilities } from './linear.ts'
import { meaningScores } from './meaning.ts'
import file from './weights.json' with { type: 'json' }

type PendingSignal = Parameters<Classifier['classify']>[0]

const VERSION = 'built-in/concepts-6'
/**
 * What a text gets whose words are in none of the lists, and whose meaning tells no kind: that nothing was made of it
 * is no judgement of the text.
 */
const VERSION_OF_FOREIGN = `${VERSION}/unknown-language`

/** What `train.ts` made of labelled sets. */
export const MODEL: LinearModel = {
  weights: file.weights,
  temperature: file.temperature,
  leastConfidence: file.least_confidence,
}

interface BuiltInReading extends Reading {
  /** Whether its words are in none of the lists. */
  readonly isForeign: boolean
}

const readNow = (signal: PendingSignal): BuiltInReading => {
  const { features, isForeign } = read(signal.text, signal.event)
  const likely = probabilities(MODEL, { features, isForeign, meaning: meaningScores(signal) })
  return { likely, signs: features, isForeign }
}

/**
 * The classifier that needs no model server: a small linear model over what the words are about, by word lists in
 * seventeen languages, over the form of the text, and over what it means. A function of the text and the event: the
 * same always get the same label. Rejects with `too_costly` for a text that uses up its CPU budget. What is asked at
 * the same time shares a watchdog.
 */
export const createBuiltInClassifier = (cpuBudgetMs = CPU_BUDGET_MS): Required<Classifier> => {
  let pending: (PendingSignal & PromiseWithResolvers<BuiltInReading>)[] = []

  const answer = async (): Promise<void> => {
    const these = pending
    pending = []
    try {
      // The table is read once, which no text is to be charged for.
      readTable()
      const readings = await inTimeBoundParts(these, cpuBudgetMs, readNow)
      for (const [index, { resolve, reject }] of these.entries()) {
        const reading = readings[index]
        if (reading === undefined || isAssayError(reading)) reject(reading)
        else resolve(reading)
      }
    } catch (error) {
      for (const { reject } of these) reject(error)
    }
  }

  const ask = (input: PendingSignal): Promise<BuiltInReading> => {
    const question = { ...input, ...Promise.withResolvers<BuiltInReading>() }
    if (pending.push(question) === 1) queueMicrotask(answer)
    return question.promise
  }
  return {
    version: VERSION,
    atOnce: Number.POSITIVE_INFINITY,
    read: ask,
    classify: async input => {
      const { likely, isForeign } = await ask(input)
      const answer = decide(likely, MODEL.leastConfidence)
      return isForeign && answer.label === 'unclassified' ? { ...answer, version: VERSION_OF_FOREIGN } : answer
    },
  }
}
