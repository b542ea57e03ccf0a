import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { headOf, replayableFrom } from '../../../model/dead-letters/entry.ts'
import { groupSelected } from '../../../model/dead-letters/read-dead-letters.ts'
import type { DeadLetterSelection } from '../../../model/dead-letters/selection.ts'
import { FAULTS } from '../../../schemas/domain/vocabulary.ts'
import { oneOf } from '../parts/fields.ts'

/** Letters that died alike and whose records stand alike. */
export const SelectedGroup = Type.Object({
  step: Type.String(),
  fault: oneOf(FAULTS),
  error_class: Type.String(),
  dead_letters: Type.Integer(),
  from_steps: Type.Array(Type.String(), {
    description: 'Where a replay can begin, by what the records hold; by default at the last of them.',
  }),
})
type SelectedGroup = Static<typeof SelectedGroup>

/** The selected letters, counted by what they died of. */
export const selectedGroups = async (
  transaction: Transaction,
  selection: DeadLetterSelection,
): Promise<SelectedGroup[]> => {
  const rows = await groupSelected(transaction, selection)
  return rows.map(({ topic, ...group }) => {
    const head = headOf(topic)
    return { ...group, from_steps: head === null ? [] : [...replayableFrom(head)] }
  })
}
