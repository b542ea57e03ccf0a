import { type Static, Type } from 'typebox'
import { MAX_SNOOZED_UNTIL, MAX_TRIAGED } from '../../../schemas/domain/limits.ts'
import { CLAIM_KINDS, CLASSIFICATIONS } from '../../../schemas/domain/vocabulary.ts'
import { type ActionFields, requireActionFields } from '../parts/action-fields.ts'
import { comment, identifier, oneOf } from '../parts/fields.ts'
import { title } from '../solutions/solution-fields.ts'

const ACTIONS = ['accept', 'dismiss', 'reclassify', 'promote', 'duplicate', 'snooze', 'wake'] as const
type Action = (typeof ACTIONS)[number]

export const batchTriageInput = Type.Object({
  action: oneOf(ACTIONS, {
    description:
      'duplicate: they repeat original_signal_id. snooze: out of Triage until a time, or until so many more Signals say it. wake: back into Triage.',
  }),
  signals: Type.Array(
    Type.Object({
      signal_id: Type.String({ format: 'uuid' }),
      version: Type.Integer({ minimum: 1, description: 'The version you read.' }),
    }),
    { minItems: 1, maxItems: MAX_TRIAGED, description: 'All of them are decided on as one, or none is.' },
  ),
  comment: Type.Optional(
    Type.With(comment, { description: 'What was decided and why: the statement of the Decision.' }),
  ),
  classification: Type.Optional(oneOf(CLASSIFICATIONS, { description: 'What reclassify makes of them.' })),
  kind: Type.Optional(
    oneOf(CLAIM_KINDS, { description: 'promote: of one new claim, which all of them are evidence of.' }),
  ),
  title: Type.Optional(
    Type.With(title, { description: 'promote with kind: the claim’s. Default the first sentence of the first.' }),
  ),
  claim_id: Type.Optional(Type.With(identifier, { description: 'promote: the claim that there is, instead of kind.' })),
  original_signal_id: Type.Optional(Type.With(identifier, { description: 'duplicate: what they repeat.' })),
  until: Type.Optional(
    Type.String({ maxLength: 40, description: 'snooze: when they are back in Triage. ISO 8601 with its time zone.' }),
  ),
  more_signals: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SNOOZED_UNTIL,
      description:
        'snooze: they are back in Triage once so many more Signals or repeats are at their claim; of one without a claim, once it was repeated so often.',
    }),
  ),
})
export type BatchTriageInput = Static<typeof batchTriageInput>

const TAKES: Readonly<Record<Action, ActionFields>> = {
  accept: { needs: ['signals'], may: ['comment'] },
  dismiss: { needs: ['signals'], may: ['comment'] },
  reclassify: { needs: ['signals', 'classification'], may: ['comment'] },
  promote: { needs: ['signals'], may: ['kind', 'title', 'claim_id', 'comment'] },
  duplicate: { needs: ['signals', 'original_signal_id'], may: ['comment'] },
  snooze: { needs: ['signals'], may: ['until', 'more_signals', 'comment'] },
  wake: { needs: ['signals'], may: ['comment'] },
}

/** Refuses, by name, a field that the action does not read and one that it lacks. */
export const requireBatchFields = (given: BatchTriageInput): void => requireActionFields(given, TAKES[given.action])
