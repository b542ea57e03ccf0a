import type { Output } from '../../api/client.ts'
import { mergeAgain, triage } from '../../parts/evidence/triage.ts'

export type LogEntry = Output<'list_merge_log'>['items'][number]

/** How an entry of the log is taken back, and how that is undone in turn. */
export const undoMergeLogEntry = ({ kind, id, from, into }: LogEntry) => {
  switch (kind) {
    case 'merge':
      return {
        run: () => triage({ action: 'undo', claim_id: from.id }),
        doneMessage: () => `${from.reference} is apart from ${into.reference} again, and stays so.`,
        undo: () => mergeAgain(from.id, into.id),
      }
    case 'attachment':
      return {
        run: () => triage({ action: 'undo', signal_id: from.id, claim_id: into.id }),
        doneMessage: ({ claim }: Output<'triage'>) => `${from.reference} has a claim of its own, ${claim?.reference}.`,
        undo: ({ claim }: Output<'triage'>) => mergeAgain(claim?.id ?? '', into.id),
      }
    case 'refusal':
      return {
        run: () => triage({ action: 'undo', proposal_id: id }),
        doneMessage: () => `${from.reference} and ${into.reference} wait for a decision again.`,
        undo: ({ merges }: Output<'triage'>) =>
          triage({
            action: 'refuse_merge',
            proposal_ids: merges.flatMap(({ proposal_id }) => proposal_id ?? []),
          }),
      }
  }
}
