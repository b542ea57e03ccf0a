import { type Static, Type } from 'typebox'
import type { DecisionObject } from '../../../model/decisions/log-decision.ts'
import type { TriageChange } from '../../../model/triage/triage.ts'
import type { ClaimId, SignalId } from '../../../schemas/domain/ids.ts'
import { MAX_SNOOZED_UNTIL, MAX_TRIAGED } from '../../../schemas/domain/limits.ts'
import { CLAIM_KINDS, CLASSIFICATIONS } from '../../../schemas/domain/vocabulary.ts'
import { type ActionFields, comment, identifier, oneOf, requireActionFields, version } from '../parts/fields.ts'
import { title } from '../solutions/solution.ts'
import type { RequestedSignal } from './locked-signals.ts'

/** Arguments of a decision on several signals, and its result. */

const ACTIONS = ['accept', 'dismiss', 'reclassify', 'promote', 'gather', 'duplicate', 'snooze', 'wake'] as const
type Action = (typeof ACTIONS)[number]

export const batchTriageInput = Type.Object({
  action: oneOf(ACTIONS, {
    description:
      'accept, dismiss, reclassify, promote (kind or claim_id), gather (as one claim), duplicate (original_signal_id), snooze (until, more_signals), wake. What is dismissed is woken, too. A snooze puts them out of Triage until a time, or until so many more Signals say it; with both, until the first.',
  }),
  signal_ids: Type.Optional(
    Type.Array(identifier, {
      minItems: 1,
      maxItems: MAX_TRIAGED,
      uniqueItems: true,
      description: 'The Signals. All of them are decided on as one, or none is.',
    }),
  ),
  signals: Type.Optional(
    Type.Array(
      Type.Object({
        signal_id: Type.With(identifier, { description: 'The Signal. A UUID or reference such as SIG-7.' }),
        version,
      }),
      {
        minItems: 1,
        maxItems: MAX_TRIAGED,
        description: 'The same with the version of each that was read, instead of signal_ids.',
      },
    ),
  ),
  comment,
  theme_id: Type.Optional(
    Type.With(identifier, { description: 'The theme. With gather: they belong to it, which is kept.' }),
  ),
  refused_signal_ids: Type.Optional(
    Type.Array(identifier, {
      minItems: 1,
      maxItems: MAX_TRIAGED,
      uniqueItems: true,
      description: 'Signals that do not belong to it: they never come back into it. With theme_id.',
    }),
  ),
  makes_solution: Type.Optional(
    Type.Boolean({
      description:
        'With gather: a Solution on the Backlog answers the claim, by the same Decision, named like the theme.',
    }),
  ),
  classification: Type.Optional(oneOf(CLASSIFICATIONS, { description: 'The new classification.' })),
  kind: Type.Optional(
    oneOf(CLAIM_KINDS, { description: 'Which kind. With promote, of the new claim: all of them are evidence of it.' }),
  ),
  title: Type.Optional(
    Type.With(title, { description: 'Its title. Of the claim, with kind; default its most telling sentence.' }),
  ),
  claim_id: Type.Optional(Type.With(identifier, { description: 'The claim. With promote, one that there is.' })),
  original_signal_id: Type.Optional(
    Type.With(identifier, { description: 'The original Signal. What they repeat, with duplicate.' }),
  ),
  until: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601 with its time zone. When a snooze ends.' })),
  more_signals: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SNOOZED_UNTIL,
      description:
        'A snooze ends once so many more Signals or repeats are at their claim. Of one without a claim, once it was repeated so often; the answer counts all there are (until_signals).',
    }),
  ),
})
export type BatchTriageInput = Static<typeof batchTriageInput>

/** The requested signals, with the version that the caller read, if given. */
export const requestedSignals = ({ signal_ids: ids = [], signals }: BatchTriageInput): readonly RequestedSignal[] =>
  signals ?? ids.map(signal_id => ({ signal_id }))

const TAKES: Readonly<Record<Action, ActionFields>> = {
  accept: { needs: ['signals'], may: ['comment'] },
  dismiss: { needs: ['signals'], may: ['comment'] },
  reclassify: { needs: ['signals', 'classification'], may: ['comment'] },
  promote: { needs: ['signals'], may: ['kind', 'title', 'claim_id', 'comment'] },
  gather: { needs: ['signals'], may: ['comment', 'theme_id', 'refused_signal_ids', 'makes_solution'] },
  duplicate: { needs: ['signals', 'original_signal_id'], may: ['comment'] },
  snooze: { needs: ['signals'], may: ['until', 'more_signals', 'comment'] },
  wake: { needs: ['signals'], may: ['comment'] },
}

/**
 * Refuses, by name, a field that the action does not read and a missing one; and signals that are named in two fields.
 */
export const requireBatchFields = (given: BatchTriageInput): void => {
  const { needs, may } = TAKES[given.action]
  const named = given.signals === undefined ? 'signal_ids' : 'signals'
  requireActionFields(given, { needs: needs.map(field => (field === 'signals' ? named : field)), may })
}

/** One Decision's change of several signals: enough to log it and to undo it. */
export interface BatchChange {
  /** Statement of a Decision without a comment: `SIG-7 and SIG-9 are accepted.` Without a change, the reason. */
  readonly statement: string
  readonly changes: readonly { readonly id: SignalId; readonly change: TriageChange }[]
  /** The claim whose evidence they became. */
  readonly claim?: { readonly id: ClaimId; readonly reference: string; readonly is_new: boolean }
  /** Claims that signals without one started. */
  readonly started?: ReadonlyMap<SignalId, ClaimId>
  /** Further objects of the Decision. */
  readonly objects?: readonly DecisionObject[]
}
