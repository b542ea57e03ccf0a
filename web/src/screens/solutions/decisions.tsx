import { Button } from '@mantine/core'
import { IconGavel } from '@tabler/icons-react'
import { useOperationPages } from '../../api/hooks.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { DecisionItem } from './decision-item.tsx'
import classes from './solution.module.css'

const REFRESH_MS = 30_000

/** Every Decision about a Solution, newest first, with the key that an agent carried it in through. */
export const Decisions = ({ reference }: { readonly reference: string }) => {
  const { first, items, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'lookup_decision',
    { about: reference },
    { refresh_ms: REFRESH_MS },
  )
  if (first === undefined) {
    return error === null ? <LoadingState rows={5} height={48} /> : <ErrorState error={error} retry={refetch} />
  }
  if (items.length === 0) {
    return (
      <EmptyState icon={IconGavel} title="Nothing was decided about it yet">
        Every change of a Solution hangs on a Decision, and shows here.
      </EmptyState>
    )
  }
  return (
    <>
      <ol className={classes.rows}>
        {items.map(decision => (
          <DecisionItem key={decision.reference} decision={decision} about={reference} />
        ))}
      </ol>
      {hasNextPage && (
        <Button size="xs" variant="default" mt="md" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}
