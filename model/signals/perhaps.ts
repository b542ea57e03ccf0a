import type { Perhaps } from '../../schemas/domain/vocabulary.ts'
import { SAYS_NOTHING } from './says-nothing.ts'

/**
 * Kind that a row of `signals` speaks as: its classification, or the likely need of an unclassified one. A person's
 * label counts alone.
 */
export const SPEAKS_AS = `(case when signals.classification_version = 'member' then signals.classification
  else coalesce(signals.perhaps, signals.classification) end)`

/** Condition: the row is noise. Events of a code host are work on the product, not noise. */
const IS_NOISE = `(${SAYS_NOTHING} and signals.channel <> 'code_host')`

/** `perhaps` of an unclassified row; null when it is unknown. */
export const PERHAPS_OF = `(case when ${IS_NOISE} then 'noise'
  when signals.classification_version <> 'member' then signals.perhaps end)`

/** Condition: the row's `perhaps` has this value. For noise it is the literal condition of the index. */
export const isPerhaps = (perhaps: Perhaps): string => (perhaps === 'noise' ? IS_NOISE : `${PERHAPS_OF} = '${perhaps}'`)
