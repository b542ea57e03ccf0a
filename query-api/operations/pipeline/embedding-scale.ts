import { Type } from 'typebox'
import { type Calibration, IDENTITY, rawAt, shippedCalibration } from '../../../infra/models/calibration.ts'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { findFittedCalibration } from '../../../model/calibrations/calibrations.ts'
import { instant, nullable, oneOf } from '../parts/fields.ts'

const rawCosine = (what: string) =>
  nullable(Type.Number({ description: `The model’s own cosine that is ${what}; null: none is.` }))
const share = (of: string) => nullable(Type.Number({ description: `Of the pairs that it was fitted on: ${of}.` }))

/** What the cosine of the embedding model means here. */
export const EmbeddingScale = Type.Object({
  model: Type.String(),
  calibration: oneOf(['shipped', 'fitted', 'none'], {
    description: 'Shipped with Assay, fitted by job calibrate once there are 100 Signals, or none: taken as it is.',
  }),
  anchors_at: rawCosine('0.80 of the scale'),
  skips_at: rawCosine('0.88 of the scale'),
  skips_in_threads_at: rawCosine('0.92 of the scale'),
  compares_words: Type.Boolean({
    description: 'Texts that differ in a number, name, negation or a word of the title are never skipped.',
  }),
  made_pairs: Type.Integer(),
  labelled_pairs: Type.Integer({ description: 'Pairs that people confirmed or refused.' }),
  same_share: share('what says the same, at 0.88 and above'),
  copies_share: share('the copies that are at 0.88 and above'),
  fitted_at: nullable(instant),
})

/** The scale of the transaction's workspace. */
export const readEmbeddingScale = async (transaction: Transaction, model: string) => {
  const shipped = shippedCalibration(model)
  const fitted = shipped === null ? await findFittedCalibration(transaction, model) : undefined
  const scale: Calibration = shipped ?? (fitted === undefined ? IDENTITY : { knots: fitted.knots, comparesWords: true })
  const { made_pairs = 0, labelled_pairs = 0, same_share = null, copies_share = null } = fitted ?? {}
  return {
    model,
    calibration: originOf(shipped !== null, fitted !== undefined),
    anchors_at: reachable(rawAt(scale, 0.8)),
    skips_at: reachable(rawAt(scale, 0.88)),
    skips_in_threads_at: reachable(rawAt(scale, 0.92)),
    compares_words: scale.comparesWords,
    ...{ made_pairs, labelled_pairs, same_share, copies_share },
    fitted_at: fitted?.fitted_at.toISOString() ?? null,
  }
}

const originOf = (isShipped: boolean, isFitted: boolean): 'shipped' | 'fitted' | 'none' => {
  if (isShipped) return 'shipped'
  return isFitted ? 'fitted' : 'none'
}

const reachable = (raw: number): number | null => (raw > 1 ? null : Number(raw.toFixed(4)))
