import type { Input, Output } from '../../../api/client.ts'
import { t } from '../../../language/messages.ts'

export type DeadLetter = Output<'inspect_pipeline'>['items'][number]
export type Group = Output<'inspect_pipeline'>['groups'][number]
export type DeadLetterState = DeadLetter['state']

/** Which letters something is done about, in the fields of both operations that do something. */
export type Selection = Pick<Input<'replay_dead_letters'>, 'signal_id' | 'step' | 'fault' | 'error_class' | 'all'>

// The step of a letter or group is one of the vocabulary, which the operation’s answer does not repeat.
const stepOf = ({ step }: { readonly step: string }) => step as NonNullable<Selection['step']>

export const selectionOfGroup = (group: Group): Selection => ({
  step: stepOf(group),
  fault: group.fault,
  error_class: group.error_class,
})

export const selectionOfDeadLetter = ({
  signal_id,
  ...deadLetter
}: Pick<DeadLetter, 'signal_id' | 'step'>): Selection => ({
  signal_id,
  step: stepOf(deadLetter),
})

export const FAULT_LABELS: Readonly<Record<Group['fault'], string>> = {
  sender: t('the sender’s'),
  ours: t('ours'),
  too_costly: t('too costly'),
  transient: t('transient'),
}

/** What somebody is about to do, and about which letters. */
export interface OpenDialog {
  readonly what: 'replay' | 'discard'
  readonly selection: Selection
  /** The letters in words: `14 letters at embed`. */
  readonly about: string
}
