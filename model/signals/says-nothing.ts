import type { Classification } from '../../schemas/domain/vocabulary.ts'

/** Confidence from which an unclassified signal is noise: a greeting, thanks, or an absence note. */
export const NOTHING = 0.8
/** Ending of the version of a text in an unknown language, which may say anything. */
export const UNKNOWN_LANGUAGE = '/unknown-language'

interface Classified {
  readonly classification: Classification
  readonly classification_confidence: number
  readonly classification_version: string
}

/** True when a signal is certainly noise: it gets no claim and no theme. */
export const saysNothing = (signal: Classified): boolean =>
  signal.classification === 'unclassified' &&
  signal.classification_confidence > NOTHING &&
  !signal.classification_version.endsWith(UNKNOWN_LANGUAGE)

/** The same condition on a row of `signals`. */
export const SAYS_NOTHING = `(signals.classification = 'unclassified' and signals.classification_confidence > ${NOTHING}
  and signals.classification_version not like '%${UNKNOWN_LANGUAGE}')`
