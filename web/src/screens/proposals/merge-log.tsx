import { Stack } from '@mantine/core'
import { IconGitMerge, IconHandStop } from '@tabler/icons-react'
import { useOperationPages } from '../../api/hooks.ts'
import { useRole } from '../../api/use-role.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { MoreButton } from '../../parts/evidence/more-button.tsx'
import { useUndoableAction } from '../../parts/evidence/use-undoable-action.ts'
import { LoadingState } from '../../parts/loading-state.tsx'
import { useKeys } from '../../shell/keys.ts'
import { MergeLogEntry } from './merge-log-entry.tsx'
import { undoMergeLogEntry } from './take-back.ts'

interface Props {
  readonly what: 'merged' | 'refused'
}

/** What people and the judge decided, the newest first, each with a way back. */
export const MergeLog = ({ what }: Props) => {
  const query = useOperationPages('list_merge_log', { what })
  const { items, first, error } = query
  const { act, busy, undoLast } = useUndoableAction()
  const role = useRole()
  const canDecide = role === 'owner' || role === 'member'
  useKeys(canDecide ? [{ key: 'z', does: 'Undo', run: undoLast }] : [])
  if (first === undefined) {
    return error === null ? <LoadingState rows={4} height={96} /> : <ErrorState error={error} retry={query.refetch} />
  }
  if (items.length === 0) {
    return what === 'merged' ? (
      <EmptyState icon={IconGitMerge} title="Nothing is merged">
        Every merge is listed here with who made it and why: those of people, and those of the judge.
      </EmptyState>
    ) : (
      <EmptyState icon={IconHandStop} title="Nothing is kept apart">
        A pair that is refused is listed here and not proposed again, until somebody takes the refusal back.
      </EmptyState>
    )
  }
  return (
    <>
      <Stack component="ol" gap={0} m={0} p={0} aria-label={what === 'merged' ? 'Merges' : 'Refusals'}>
        {items.map(entry => (
          <MergeLogEntry
            key={`${entry.kind} ${entry.id}`}
            entry={entry}
            {...(canDecide && { onTakeBack: () => act(undoMergeLogEntry(entry)) })}
            busy={busy}
          />
        ))}
      </Stack>
      <MoreButton query={query} />
    </>
  )
}
