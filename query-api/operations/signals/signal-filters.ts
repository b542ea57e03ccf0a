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
      description: 'Words, as a search takes them: what has all of them, else what has most; or SIG-7.',
    }),
  ),
  claim: Type.Optional(oneOf(['with', 'without'], { description: 'Whether they are evidence of a claim.' })),
  snoozed: Type.Optional(
    oneOf(['hidden', 'only', 'shown'], { description: 'What becomes of those in Triage that sleep. Default hidden.' }),
  ),
}

const Filters = Type.Object(signalFilters)
type Filters = Static<typeof Filters>

const SIGNAL = /^\s*sig-(\d{1,9})\s*$/i

const foundBy = (text: string, having: (text: string) => readonly string[]): Partial<SignalSelection> => {
  const number = SIGNAL.exec(text)?.[1]
  return number === undefined ? { among: having(text) } : { number: Number(number) }
}

/** What the filters select, as of `now`; `having` finds what has the words. Throws `not_found` for a node that is none. */
export const selectionOf = async (
  transaction: Transaction,
  { state = 'triage', snoozed = 'hidden', node_id, text, ...given }: Filters,
  having: (text: string) => readonly string[],
  now: Date,
): Promise<SignalSelection> => ({
  ...given,
  ...(text === undefined ? {} : foundBy(text, having)),
  state,
  snoozed,
  now,
  node: node_id === undefined ? undefined : (await resolveOne(transaction, 'node', node_id)).id,
})
