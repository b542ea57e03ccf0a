import {
  discardDeadLetters as discard,
  lockDeadLetters,
  selectionInWords,
} from '../../../model/dead-letters/selection.ts'
import { storeDecision } from '../../../model/decisions/log-decision.ts'
import { counted } from '../../../schemas/domain/for-people.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { Type, writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { noDeadLetters, requireKnownClass, selectionFields, selectionOf } from './dead-letter.ts'

export const discardDeadLetters = writeOperation({
  name: 'discard_dead_letters',
  title: 'Discard dead letters',
  summary:
    'Gives waiting dead letters up: one, a group, or all. A human decides that, and why: it is logged as a Decision. They stay listed as discarded, and are neither driven again nor replayed.',
  effect: 'destructive',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    ...selectionFields,
    reason: Type.String({
      minLength: 1,
      maxLength: MAX_CHARACTERS.discard,
      pattern: '\\S',
      description: 'What a human decided and why.',
    }),
  }),
  output: Type.Object({
    dead_letters: Type.Integer(),
    decision: Type.Object({ id: uuid, reference: Type.String() }),
  }),
  apply: async (input, transaction, { caller, services }) => {
    const at = services.now()
    const selection = selectionOf(input, at)
    await requireKnownClass(transaction, input.error_class)
    const deadLetters = await lockDeadLetters(transaction, selection)
    if (deadLetters.length === 0) throw noDeadLetters()
    const statement = `Discarded ${counted(deadLetters.length, 'dead letter')} (${selectionInWords(selection)}): ${input.reason}`
    const decision = await storeDecision(transaction, caller, { statement, at, objects: [] })
    await discard(transaction, decision.id, deadLetters)
    return { data: { dead_letters: deadLetters.length, decision }, size: deadLetters.length }
  },
})
