import { t } from '../../language/messages.ts'
import { beginSolutionOf } from '../../shell/begun.ts'
import type { Signal } from './decision.ts'

export type OpenDialog = 'dismiss' | 'snooze' | 'duplicate' | 'promote' | 'reclassify' | 'merge'

export interface Action {
  readonly name: string
  readonly key: string
  readonly run: () => void
  /** Whether it makes sense for what is chosen. */
  readonly fits: boolean
}

interface Can {
  readonly subjects: readonly Signal[]
  readonly accept: () => void
  readonly wake: () => void
  readonly ask: (what: OpenDialog) => void
}

/** What can be done with the chosen Signals, in the order of the keys that people know. */
export const actionsOf = ({ subjects, accept, wake, ask }: Can): readonly Action[] => {
  const some = subjects.length > 0
  const stands = some && subjects.every(({ duplicate_of }) => duplicate_of === null)
  const inTriage = subjects.every(({ state }) => state === 'triage')
  const asleep = some && subjects.every(({ snooze }) => snooze?.is_active === true)
  const promotable = subjects.every(({ state, claims }) => state !== 'dismissed' && claims.length === 0)
  const claimed = subjects.length === 1 && (subjects[0]?.claims.length ?? 0) > 0
  return [
    { name: t('Accept'), key: '1', run: accept, fits: stands && subjects.some(({ state }) => state !== 'accepted') },
    { name: t('Repeat of…'), key: '2', run: () => ask('duplicate'), fits: stands },
    {
      name: t('Dismiss…'),
      key: '3',
      run: () => ask('dismiss'),
      fits: stands && subjects.some(({ state }) => state !== 'dismissed'),
    },
    { name: t('Snooze…'), key: 'h', run: () => ask('snooze'), fits: some && inTriage && !asleep },
    { name: t('Wake'), key: 'w', run: wake, fits: inTriage && asleep },
    { name: t('Reclassify…'), key: 'c', run: () => ask('reclassify'), fits: stands },
    { name: t('Promote…'), key: 'p', run: () => ask('promote'), fits: stands && promotable },
    {
      name: t('New Solution…'),
      key: 's',
      run: () => beginSolutionOf(subjects),
      fits: stands && subjects.every(({ state }) => state !== 'dismissed'),
    },
    { name: t('Merge its claim…'), key: 'm', run: () => ask('merge'), fits: claimed },
  ]
}
