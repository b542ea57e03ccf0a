import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { subtreeOf } from '../../../model/map/nodes.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
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

/** A condition on `signals`, with what is bound to it. */
export interface Filter {
  readonly where: string
  readonly values: readonly unknown[]
}

/** How many of the newest that have the words are looked at. */
const MAX_WITH_WORDS = 10_000

const SIGNAL = /^\s*sig-(\d{1,9})\s*$/i

/** The words as a `tsquery` wants them, each the beginning of one; null when there are none. */
const beginningsOf = (text: string): string | null => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length === 0 ? null : words.map(word => `'${word}':*`).join(' & ')
}

/** Throws `not_found` for a node that is none. */
export const filterOf = async (transaction: Transaction, given: Filters, now: Date): Promise<Filter> => {
  const conditions: string[] = []
  const values: unknown[] = []
  const add = (condition: (place: string) => string, value: unknown) => {
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  add(place => `state = ${place}`, given.state ?? 'triage')
  if (given.classification !== undefined) add(place => `classification = ${place}`, given.classification)
  if (given.node_id !== undefined) {
    const { id } = await resolveOne(transaction, 'node', given.node_id)
    add(place => `node_id = any (${place}::uuid[])`, await subtreeOf(transaction, id))
  }
  if (given.source !== undefined) add(place => `source = ${place}`, given.source)
  if (given.channel !== undefined) add(place => `channel = ${place}`, given.channel)
  if (given.text !== undefined) {
    const number = SIGNAL.exec(given.text)?.[1]
    const words = beginningsOf(given.text)
    if (number !== undefined) add(place => `number = ${place}`, Number(number))
    else if (words === null) conditions.push('false')
    else
      add(
        place => `signals.id in (select id from rows_with_words('signals', ${place}::tsquery, ${MAX_WITH_WORDS}))`,
        words,
      )
  }
  if (given.claim !== undefined) {
    conditions.push(
      `${given.claim === 'with' ? '' : 'not '}exists (select from claim_evidence where claim_evidence.signal_id = signals.id)`,
    )
  }
  const snoozed = given.snoozed ?? 'hidden'
  if (snoozed !== 'shown') {
    const isIn = snoozed === 'only' ? 'in' : 'not in'
    add(place => `signals.id ${isIn} (select signal_id from sleeping_signals(${place}))`, now)
  }
  return { where: conditions.join(' and '), values }
}
