import { type Dispatch, type SetStateAction, useMemo, useRef } from 'react'
import { MAX_TRIAGED } from '../../../../schemas/domain/limits.ts'
import { t } from '../../language/messages.ts'
import { extendBy, moveBy, NOTHING_SELECTED, type Selection, toggle } from '../../parts/selection.ts'
import { begin, solutionOf } from '../../shell/begun.ts'
import { type KeyBinding, undoKeys, useKeys } from '../../shell/keys.ts'
import { useCommands } from '../../shell/registered.ts'
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
  /** Chooses none any more. */
  readonly letGo: () => void
}

/** What can be done with the chosen Signals, in the order of the keys that people know. */
export const actionsOf = ({ subjects, accept, wake, ask, letGo }: Can): readonly Action[] => {
  const some = subjects.length > 0
  const stands = some && subjects.every(({ duplicate_of }) => duplicate_of === null)
  const inTriage = subjects.every(({ state }) => state === 'triage')
  const asleep = some && subjects.every(({ snooze }) => snooze?.is_active === true)
  const dismissed = stands && subjects.every(({ state }) => state === 'dismissed')
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
    {
      name: dismissed ? t('Back to Triage') : t('Wake'),
      key: 'w',
      run: wake,
      fits: dismissed || (inTriage && asleep),
    },
    { name: t('Reclassify…'), key: 'c', run: () => ask('reclassify'), fits: stands },
    { name: t('Promote…'), key: 'p', run: () => ask('promote'), fits: stands && promotable },
    {
      name: t('New Solution for it…'),
      key: 's',
      run: () => begin(solutionOf(subjects, letGo)),
      fits: stands && subjects.every(({ state }) => state !== 'dismissed'),
    },
    { name: t('Merge its claim…'), key: 'm', run: () => ask('merge'), fits: claimed },
  ]
}

interface Ports {
  readonly ids: readonly string[]
  readonly choice: Selection
  readonly setChoice: Dispatch<SetStateAction<Selection>>
  readonly actions: readonly Action[]
  readonly undo: () => void
  readonly canUndo: boolean
  readonly open: () => void
}

const SCREENFUL = 10

/** Where the keys that move and choose act, and where those that decide: the list and the panel that says them. */
export const LIST = 'signals'
export const WORK = 'triage'

/** The keys of Triage, and its actions as commands of the palette. */
export const useTriageKeys = ({ ids, choice, setChoice, actions, undo, canUndo, open }: Ports): void => {
  const by = (lines: number) => () => setChoice(now => moveBy(now, ids, lines))
  const extend = (lines: number) => () => setChoice(now => extendBy(now, ids, lines))
  const moving: KeyBinding[] = [
    { key: 'j', does: t('Next signal'), run: by(1) },
    { key: 'k', does: t('Previous signal'), run: by(-1) },
    { key: 'ArrowDown', does: t('Next signal'), run: by(1) },
    { key: 'ArrowUp', does: t('Previous signal'), run: by(-1) },
    { key: 'PageDown', does: t('Ten further'), run: by(SCREENFUL) },
    { key: 'PageUp', does: t('Ten back'), run: by(-SCREENFUL) },
    { key: 'Home', does: t('First signal'), run: by(-ids.length) },
    { key: 'End', does: t('Last signal that was loaded'), run: by(ids.length) },
    { key: 'J', does: t('Choose the next one too'), run: extend(1) },
    { key: 'K', does: t('Choose the previous one too'), run: extend(-1) },
    { key: 'shift+ArrowDown', does: t('Choose the next one too'), run: extend(1) },
    { key: 'shift+ArrowUp', does: t('Choose the previous one too'), run: extend(-1) },
    { key: 'x', does: t('Choose this one, or not'), run: () => setChoice(now => toggle(now, now.cursor)) },
    {
      key: 'mod+a',
      does: t('Choose all, at most {most}', { most: MAX_TRIAGED }),
      run: () => setChoice(now => ({ ...now, chosen: new Set(ids.slice(0, MAX_TRIAGED)) })),
    },
    {
      key: 'Escape',
      does: t('Choose none'),
      run: () => setChoice(now => ({ ...NOTHING_SELECTED, cursor: now.cursor, anchor: now.cursor })),
    },
    { key: 'Enter', does: t('Open the signal'), run: open },
  ]
  const deciding = actions.map(({ key, name, run, fits }) => ({
    key,
    does: name.replace('…', ''),
    list: `#${WORK}`,
    run: () => fits && run(),
  }))
  useKeys([
    ...moving.map(binding => ({ ...binding, list: `#${LIST}` })),
    {
      key: '/',
      does: t('Search'),
      run: () => document.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
    },
    ...deciding,
    ...(actions.length === 0 ? [] : undoKeys(undo)),
  ])

  const newest = useRef<readonly { readonly label: string; readonly run: () => void }[]>([])
  newest.current = [
    ...actions.filter(({ fits }) => fits).map(({ name, run }) => ({ label: name, run })),
    ...(canUndo ? [{ label: t('Undo'), run: undo }] : []),
  ]
  const labels = JSON.stringify(newest.current.map(({ label }) => label))
  const many = choice.chosen.size
  useCommands(
    useMemo(
      () =>
        (JSON.parse(labels) as string[]).map((label, place) => ({
          label: many > 1 ? t('{label} ({many} signals)', { label, many }) : label,
          group: t('What is chosen'),
          run: () => newest.current[place]?.run(),
        })),
      [labels, many],
    ),
  )
}
