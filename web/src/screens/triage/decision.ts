import type { Input, Output } from '../../api/operations.ts'
import { filled, plural, t, word } from '../../language/messages.ts'
import type { Filters } from './view.ts'

export type Signal = Output<'list_signals'>['items'][number]

/** A decision on Signals, without which ones: those that are chosen. */
/** What is decided here; signals are gathered where they are seen beside each other. */
export interface Decision extends Omit<Input<'triage_signals'>, 'signals' | 'action'> {
  readonly action: Exclude<Input<'triage_signals'>['action'], 'gather'>
}

const STATE_AFTER: Readonly<Record<Decision['action'], Signal['state'] | null>> = {
  accept: 'accepted',
  promote: 'accepted',
  dismiss: 'dismissed',
  duplicate: 'dismissed',
  reclassify: null,
  snooze: null,
  wake: null,
}

/** What a decision makes of Signals in Triage; null where it leaves their state. */
export const stateAfter = ({ action }: Decision): Signal['state'] | null => STATE_AFTER[action]

/** Whether what is decided on leaves the list that is shown. */
export const leavesList = ({ action, classification }: Decision, filters: Filters): boolean => {
  if (action === 'snooze') return filters.snoozed === undefined
  if (action === 'wake') return filters.snoozed === 'only' || filters.state === 'dismissed'
  if (action === 'reclassify') {
    if (filters.perhaps !== undefined) return filters.perhaps !== 'noise' || classification !== 'unclassified'
    return filters.classification !== undefined && filters.classification !== classification
  }
  return STATE_AFTER[action] !== (filters.state ?? 'triage')
}

/** `SIG-7`, or `5 signals`. */
export const namesOf = (signals: readonly Pick<Signal, 'reference'>[]): string =>
  signals.length === 1 ? (signals[0]?.reference ?? '') : plural(signals.length, '{number} signal', '{number} signals')

const DONE: Readonly<Record<Decision['action'], string>> = {
  accept: t('{signals} accepted'),
  dismiss: t('{signals} dismissed'),
  reclassify: t('{signals} reclassified as {classification}'),
  promote: t('{signals} promoted'),
  duplicate: t('{signals} counted as a repeat'),
  snooze: t('{signals} snoozed'),
  wake: t('{signals} back in Triage'),
}

/** `SIG-7 accepted`. */
export const describeDecision = (signals: readonly Signal[], { action, classification }: Decision): string =>
  filled(DONE[action], { signals: namesOf(signals), classification: word(classification ?? '') })
