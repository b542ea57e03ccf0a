import { useState } from 'react'
import { callOnce, type Input, type Output } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { undoChange, useUndoableAction } from '../../parts/evidence/undo.ts'
import type { TitleSending } from '../../parts/title-field.tsx'
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
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set())
  const gather = (
    signal_ids: string[],
    refused_signal_ids: string[],
    { makes_solution, doneMessage }: { makes_solution?: true; doneMessage: (data: Output<'triage_signals'>) => string },
  ) =>
    act({
      change: `gather ${makes_solution ?? ''} ${signal_ids.join(' ')}`,
      run: () =>
        callOnce('triage_signals', {
          action: 'gather',
          theme_id,
          signal_ids,
          ...(refused_signal_ids.length > 0 && { refused_signal_ids }),
          ...(makes_solution && { makes_solution }),
        }),
      doneMessage: ({ data }) => doneMessage(data),
      undo: undoChange,
    })
  const update = (
    given: Omit<Input<'update_theme'>, 'theme_id'>,
    doneMessage: string,
    sending?: TitleSending,
    onUndone?: () => void,
  ) =>
    act({
      change: `update ${JSON.stringify(given)}`,
      isOfForm: sending !== undefined,
      run: () => callOnce('update_theme', { theme_id, ...given }, { asks: sending?.asks ?? false }),
      doneMessage: () => doneMessage,
      undo: async answer => {
        await undoChange(answer)
        onUndone?.()
      },
    })
  return {
    busy,
    /** Signals that the person has added to the theme here. */
    added,
    undoLast,
    /** Where it is still called as the person has seen it. */
    rename: (name: string, sending: TitleSending) =>
      update({ name, expected: { name: sending.seen } }, t('Renamed.'), sending),
    setStanding: (standing: Theme['standing']) => update({ standing }, DONE[standing]),
    confirm: (signal_ids: string[], onUndone?: () => void) => {
      setAdded(before => new Set([...before, ...signal_ids]))
      return update(
        { signal_ids },
        t('{signals} added to this theme.', { signals: counted(signal_ids.length, 'signal') }),
        undefined,
        onUndone,
      )
    },
    refuse: (refused_signal_ids: string[], onUndone?: () => void) =>
      update(
        { refused_signal_ids },
        t('Kept out of this theme: {signals}.', { signals: counted(refused_signal_ids.length, 'signal') }),
        undefined,
        onUndone,
      ),
    /** Makes signals evidence of one claim, as one Decision; those that do not belong are kept out of the theme. */
    gather: (signal_ids: string[], refused_signal_ids: string[]) =>
      gather(signal_ids, refused_signal_ids, {
        doneMessage: ({ claim }) =>
          t('Evidence of {reference} now: {signals}.', {
            signals: counted(signal_ids.length, 'signal'),
            reference: claim?.reference,
          }),
      }),
    /** The same, and a Solution answers the claim, by the same Decision. */
    solve: (signal_ids: string[], refused_signal_ids: string[]) =>
      gather(signal_ids, refused_signal_ids, {
        makes_solution: true,
        doneMessage: ({ claim, solution }) =>
          t('{solution} answers {reference} now, with {signals} behind it.', {
            solution: solution?.reference,
            reference: claim?.reference,
            signals: counted(signal_ids.length, 'signal'),
          }),
      }),
    /** Makes a node of the map that is called as the theme is, with the signals at it; null puts it at the top. */
    makeNode: (name: string, signal_ids: readonly string[], parent_id: string | null) =>
      act({
        change: `node of ${signal_ids.join(' ')}`,
        run: () => callOnce('add_map_nodes', { nodes: [{ name, theme_id, signal_ids: [...signal_ids] }], parent_id }),
        doneMessage: ({ data }) =>
          t('“{name}” is on the map, with {signals}.', { name, signals: counted(data.placed, 'signal') }),
        undo: undoChange,
      }),
    /** Says that the theme is two: the signals are a theme of their own. */
    split: (split_signal_ids: string[]) =>
      act({
        change: `split ${split_signal_ids.join(' ')}`,
        run: () => callOnce('update_theme', { theme_id, split_signal_ids }),
        doneMessage: ({ data }) =>
          t('{reference} is a theme of its own now.', { reference: data.new_theme?.reference }),
        undo: undoChange,
      }),
    join: (reference: string) =>
      update({ same_theme_ids: [reference] }, t('{reference} is one with this theme now.', { reference })),
    takeApart: (reference: string) =>
      update({ other_theme_ids: [reference] }, t('{reference} is a theme of its own again.', { reference })),
  }
}

export type ThemeActs = ReturnType<typeof useThemeActs>
