import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { SignalSelection } from '../../../model/signals/select-signals.ts'
import { CHANNELS, CLASSIFICATIONS, SIGNAL_STATES } from '../../../schemas/domain/vocabulary.ts'
import { identifier, oneOf } from '../parts/fields.ts'

export const signalFilters = {
  state: Type.Optional(oneOf(SIGNAL_STATES, { description: 'Default triage.' })),
  classification: Type.Optional(oneOf(CLASSIFICATIONS)),
  node_id: Type.Optional(Type.With(identifier, { description: 'A node of the map: Signals at it or below it.' })),
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'As the sender named it.' })),
  channel: Type.Optional(oneOf(CHANNELS)),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Words, each of which the text has or begins a word with; or SIG-7.',
    }),
  ),
  claim: Type.Optional(oneOf(['with', 'without'], { description: 'Whether they are evidence of a claim.' })),
  snoozed: Type.Optional(
    oneOf(['hidden', 'only', 'shown'], { description: 'What becomes of those in Triage that sleep. Default hidden.' }),
  ),
}

const Filters = Type.Object(signalFilters)
type Filters = Static<typeof Filters>

/** What the filters select, as of `now`. Throws `not_found` for a node that is none. */
export const selectionOf = async (
  transaction: Transaction,
  { state = 'triage', snoozed = 'hidden', node_id, ...given }: Filters,
  now: Date,
): Promise<SignalSelection> => ({
  ...given,
  state,
  snoozed,
  now,
  node: node_id === undefined ? undefined : (await resolveOne(transaction, 'node', node_id)).id,
})
