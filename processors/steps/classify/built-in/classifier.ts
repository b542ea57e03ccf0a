import type { Classifier, Reading } from '../../../../infra/models/port.ts'
import { CPU_BUDGET_MS, inTimeBoundParts } from '../../../../infra/runtime/cpu-budget.ts'
import { isAssayError } from '../../../../infra/runtime/errors.ts'
import { saidOf } from '../../../../model/signals/leaning.ts'
import { UNKNOWN_LANGUAGE } from '../../../../model/signals/says-nothing.ts'
import { read } from './features.ts'
import { decide, type LinearModel, probabilities } from './linear.ts'
import { KNOWS_MEANING, meaningScores, meaningsOf } from './meaning.ts'
import { noiseIn } from './noise.ts'
import file from './weights.json' with { type: 'json' }

type PendingSignal = Parameters<Classifier['classify']>[0]

const VERSION = 'built-in/concepts-10'
/**
 * Version of an unclassified text that the embedder has no meaning for: `unclassified` is then no judgement of the
 * text.
 */
const VERSION_OF_FOREIGN = `${VERSION}${UNKNOWN_LANGUAGE}`

/** Trained by `train.ts` on labelled sets. */
export const MODEL: LinearModel = {
  weights: file.weights,
  temperature: file.temperature,
  leastConfidence: file.least_confidence,
}

/**
 * A first line of one or two words above at least four: a subject such as `Question` or `Quick one`. Such a subject
 * names a topic and says little about what the text asks for. A workspace's lessons read it all the same. A form's mark
 * such as `[Bug]` is no such subject.
 */
const SHORT_SUBJECT = /^[\p{L}\p{M}\p{N}]+(?: [\p{L}\p{M}\p{N}]+)?[.:!?]?\n\s*\n(?=\S+(?:\s+\S+){3})/u

/** The signal without a short subject. Its vector is of the text with the subject, and is made anew. */
const withoutSubject = (signal: PendingSignal): PendingSignal => {
  const text = signal.text.replace(SHORT_SUBJECT, '')
  return text === signal.text ? signal : { text, event: signal.event }
}

/** A first line above a text: a subject, which may be a form's name or an answered mail's. */
const SUBJECT = /^[^\n]{1,80}\n\s*\n(?=\S+(?:\s+\S+){3})/u
/** Chance of noise from which the text below a subject is asked by itself. */
const PERHAPS_NOISE = 0.5

interface MeantSignal extends PendingSignal {
  readonly meaning: Float64Array | null
}

const readNow = ({ text, event, meaning }: MeantSignal): Reading => {
  const { features, isForeign } = read(text, event)
  const scores = meaning === null ? null : meaningScores(meaning)
  const likely = probabilities(MODEL, { features, isForeign, meaning: scores })
  return { likely, noise: noiseIn(meaning, likely, text), signs: features }
}

/**
 * The classifier without a model server: a small linear model over the concepts of the words (word lists in seventeen
 * languages), the form of the text and its meaning. Deterministic: the same text and event always get the same label.
 * Rejects with `too_costly` for a text over its CPU budget. Calls at the same time share a watchdog.
 */
export const createBuiltInClassifier = (cpuBudgetMs = CPU_BUDGET_MS): Required<Classifier> => {
  let pending: (PendingSignal & PromiseWithResolvers<Reading>)[] = []

  const answer = async (): Promise<void> => {
    const these = pending
    pending = []
    try {
      const meanings = KNOWS_MEANING ? await meaningsOf(these) : []
      const meant = these.map((one, at): MeantSignal => ({ ...one, meaning: meanings[at] ?? null }))
      const readings = await inTimeBoundParts(meant, cpuBudgetMs, readNow)
      for (const [index, { resolve, reject }] of these.entries()) {
        const reading = readings[index]
        if (reading === undefined || isAssayError(reading)) reject(reading)
        else resolve(reading)
      }
    } catch (error) {
      for (const { reject } of these) reject(error)
    }
  }

  const ask = (input: PendingSignal): Promise<Reading> => {
    const question = { ...withoutSubject(input), ...Promise.withResolvers<Reading>() }
    if (pending.push(question) === 1) queueMicrotask(answer)
    return question.promise
  }

  /**
   * Reads a signal. A text is noise only when it is so without its subject, too: of a desk's 360 needs 25 counted as
   * noise before, most under the name of a contact form, and 3 since; of its 60 rows of noise 45 and 44.
   */
  const readSignal = async (input: PendingSignal): Promise<Reading> => {
    const whole = await ask(input)
    const text = input.text.replace(SUBJECT, '')
    if (whole.noise === null || whole.noise < PERHAPS_NOISE || text === input.text) return whole
    const { noise } = await ask({ text, event: input.event })
    return { ...whole, noise: Math.min(whole.noise, noise ?? whole.noise) }
  }

  return {
    version: VERSION,
    atOnce: Number.POSITIVE_INFINITY,
    read: readSignal,
    classify: async input => {
      const { likely, noise } = await readSignal(input)
      const said = saidOf({ ...decide(likely, MODEL.leastConfidence), likely }, noise)
      return noise === null && said.label === 'unclassified' ? { ...said, version: VERSION_OF_FOREIGN } : said
    },
  }
}
