import { type CustomerFacts, customerFactsOf, isKnownFact } from '../../../model/signals/facts.ts'
import { LOOKED_THROUGH } from '../../../model/signals/known-senders.ts'
import type { ChosenBy } from '../../../schemas/domain/customer-facts.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { type Static, type Transaction, Type } from '../define.ts'
import { namesNothing, nearestOf } from './filters.ts'

const values = () => Type.Array(untrustedText())

/** Customer facts from senders: filters and columns of the app's lists. */
export const FactsShape = Type.Object(
  { account: values(), plan: values(), language: values(), tag: values(), revenue: Type.Boolean() },
  { description: 'Told beside the newest Signals, the most frequent first. In the app, with the first page.' },
)

export const toFacts = ({ values, hasRevenue }: CustomerFacts): Static<typeof FactsShape> => ({
  account: [...values.account],
  plan: [...values.plan],
  language: [...values.language],
  tag: [...values.tag],
  revenue: hasRevenue,
})

/** Throws `invalid_input` with the nearest values for a value that no signal or repeat has. */
export const requireKnownFact = async (transaction: Transaction, field: ChosenBy, value: string): Promise<void> => {
  const { values } = await customerFactsOf(transaction, null, LOOKED_THROUGH)
  if (values[field].some(known => known.toLowerCase() === value.toLowerCase())) return
  if (await isKnownFact(transaction, field, value)) return
  const given = { field, value, pointer: `/${field}` }
  throw namesNothing(given, nearestOf(value, values[field], `No Signal came with metadata ${field}.`))
}
