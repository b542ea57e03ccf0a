import { callOnce, type Input } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { useUndoableAction } from '../../parts/evidence/undo.ts'
import type { Theme } from './theme-facts.tsx'

const DONE = {
  listed: t('Listed again.'),
  pinned: t('Pinned: it comes first now.'),
  hidden: t('Hidden: it is among those put aside.'),
  not_one_thing: t('Not one thing: it is among those put aside.'),
} as const

/** What a person says of a theme: each is one change, and is undone as one. */
export const useThemeActs = (theme_id: string) => {
  const { act, busy, undoLast } = useUndoableAction()
  const update = (given: Omit<Input<'update_theme'>, 'theme_id'>, doneMessage: string) =>
    act({
      change: `update ${JSON.stringify(given)}`,
      run: () => callOnce('update_theme', { theme_id, ...given }),
      doneMessage: () => doneMessage,
      undo: ({ meta }) => callOnce('undo_change', { change_id: meta.change_id ?? '' }),
    })
  return {
    busy,
    undoLast,
    rename: (name: string) => update({ name }, t('Renamed.')),
    setStanding: (standing: Theme['standing']) => update({ standing }, DONE[standing]),
    confirm: (signal_ids: string[]) =>
      update({ signal_ids }, t('Of this theme now: {signals}.', { signals: counted(signal_ids.length, 'signal') })),
    refuse: (refused_signal_ids: string[]) =>
      update(
        { refused_signal_ids },
        t('Kept out of this theme: {signals}.', { signals: counted(refused_signal_ids.length, 'signal') }),
      ),
    /** Makes signals evidence of one claim, as one Decision; those that do not belong are kept out of the theme. */
    gather: (signal_ids: string[], refused_signal_ids: string[]) =>
      act({
        change: `gather ${signal_ids.join(' ')}`,
        run: () =>
          callOnce('triage_signals', {
            action: 'gather',
            theme_id,
            signal_ids,
            ...(refused_signal_ids.length > 0 && { refused_signal_ids }),
          }),
        doneMessage: ({ data }) =>
          t('Evidence of {reference} now: {signals}.', {
            signals: counted(signal_ids.length, 'signal'),
            reference: data.claim?.reference,
          }),
        undo: ({ meta }) => callOnce('undo_change', { change_id: meta.change_id ?? '' }),
      }),
  }
}

export type ThemeActs = ReturnType<typeof useThemeActs>
