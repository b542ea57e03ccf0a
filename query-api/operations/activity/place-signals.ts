import { AssayError } from '../../../infra/runtime/errors.ts'
import type { Filter } from '../../../model/activity/activity-question.ts'
import type { Field } from '../../../model/activity/activity-vocabulary.ts'
import { MAX_PLACED, type PlaceField, type Places, readPlaces } from '../../../model/activity/signal-places.ts'
import type { Clock } from '../../../model/signals/happened.ts'
import type { ReadContext } from '../define.ts'

interface Asked {
  readonly clock: Clock
  readonly from: Date
  readonly to: Date
  readonly groupBy: readonly Field[]
  readonly filters: readonly Filter[]
}

/** The claims that can count: all, unless a filter names them. */
const claimsOf = ({ groupBy, filters }: Asked): readonly string[] | null => {
  const named = filters.filter(({ field }) => field === 'claim')
  if (named.some(({ op, values }) => op === 'contains' || values.includes(''))) return null
  const isTold = named.some(({ op }) => op === 'in') || !groupBy.includes('claim')
  return isTold ? [...new Set(named.flatMap(({ values }) => values))] : null
}

/**
 * The claims and nodes of now, where a question is about these. Throws `invalid_input` where there are too many signals to tell their claims; the
 * nodes are those that they came to then.
 */
export const placeSignals = async (asked: Asked, { read }: ReadContext): Promise<Places> => {
  const fields = new Set([...asked.groupBy, ...asked.filters.map(({ field }) => field)])
  const wanted = { clock: asked.clock, from: asked.from, to: asked.to, claims: claimsOf(asked) }
  const placesOf = async (field: PlaceField) =>
    fields.has(field) ? await read(transaction => readPlaces(transaction, field, wanted)) : undefined
  const claim = await placesOf('claim')
  if (claim === null)
    throw new AssayError(
      'invalid_input',
      `More than ${MAX_PLACED} Signals of this time are evidence: too many to tell the claims of. Ask for a shorter time, or filter by claim.`,
      { violations: [{ pointer: '/time', message: `holds evidence of more than ${MAX_PLACED} Signals` }] },
    )
  const node = await placesOf('node')
  return { ...(claim && { claim }), ...(node && { node }) }
}
