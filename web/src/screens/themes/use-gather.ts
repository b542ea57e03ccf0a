import { callOnce } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { useUndoableAction } from '../../parts/evidence/undo.ts'

/** Makes signals evidence of one claim, as one Decision that is undone as one. */
export const useGather = () => {
  const { act, busy, undoLast } = useUndoableAction()
  return {
    busy,
    undoLast,
    gather: (signal_ids: string[]) =>
      act({
        change: `gather ${signal_ids.join(' ')}`,
        run: () => callOnce('triage_signals', { action: 'gather', signal_ids }),
        doneMessage: ({ data }) =>
          t('Evidence of {reference} now: {signals}.', {
            signals: counted(signal_ids.length, 'signal'),
            reference: data.claim?.reference,
          }),
        undo: ({ meta }) => callOnce('undo_change', { change_id: meta.change_id ?? '' }),
      }),
  }
}
