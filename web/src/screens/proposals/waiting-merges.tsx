import { Stack, Text } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useOperationPages } from '../../api/hooks.ts'
import { useRole } from '../../api/use-role.ts'
import { counted } from '../../parts/counted.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { MoreButton } from '../../parts/evidence/more-button.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { ProposalBar } from '../../parts/proposal-bar.tsx'
import { addressOfReference } from '../../parts/reference.tsx'
import { useKeys } from '../../shell/keys.ts'
import { MergeGroupCard } from './merge-group-card.tsx'
import { ShowLessLikely } from './show-less-likely.tsx'
import { useMerges } from './use-merges.ts'

const REFRESH_MS = 15_000

/** The inbox: pairs that wait, those with one claim in common as one decision. */
export const WaitingMerges = () => {
  const query = useOperationPages('list_merge_groups', { limit: 20 }, { refresh_ms: REFRESH_MS })
  const { items: groups, first, error } = query
  const navigate = useNavigate()
  const role = useRole()
  const canDecide = role === 'owner' || role === 'member'
  const merges = useMerges()
  const selection = useSelection(groups.map(({ survivor }) => survivor.id))
  const onSelected = (work: (group: (typeof groups)[number]) => unknown) => () => {
    const group = groups.find(({ survivor }) => survivor.id === selection.selected)
    if (group !== undefined) work(group)
  }
  const deciding = [
    { key: '1', does: 'Merge the whole group', run: onSelected(group => merges.merge(group)) },
    { key: '3', does: 'Not the same: keep the whole group apart', run: onSelected(group => merges.refuse(group)) },
    { key: 'x', does: 'Swap the direction', run: onSelected(merges.swap) },
    { key: 'z', does: 'Undo', run: merges.undoLast },
  ]
  useKeys([
    { key: 'j', does: 'Next group', run: selection.next },
    { key: 'k', does: 'Previous group', run: selection.previous },
    {
      key: 'o',
      does: 'Open the claim',
      run: onSelected(({ survivor }) => navigate(addressOfReference(survivor.reference) ?? '/app/claims')),
    },
    ...(canDecide ? deciding : []),
  ])

  if (first === undefined) {
    return error === null ? <LoadingState rows={3} height={160} /> : <ErrorState error={error} retry={query.refetch} />
  }
  if (groups.length === 0) {
    return (
      <EmptyState icon={IconGitMerge} title="No merge waits">
        When a signal resembles a claim that is there, the two come here side by side, and people say whether they are
        the same.
        {first.bar.raised && (
          <Stack align="center" gap="xs" mt="md">
            <ProposalBar bar={first.bar} />
            {canDecide && <ShowLessLikely bar={first.bar} />}
          </Stack>
        )}
      </EmptyState>
    )
  }
  return (
    <>
      <Stack gap={0} mb="md">
        <Text size="sm" c="dimmed" role="status">
          {counted(first.pairs, 'pair')} to decide on, in {counted(first.count, 'group')}, the likeliest first.
          {role === 'viewer' && ' Viewers see them; members decide.'}
        </Text>
        <ProposalBar bar={first.bar} />
      </Stack>
      <Stack component="ol" gap="md" m={0} p={0} aria-label="Proposed merges">
        {groups.map(group => (
          <MergeGroupCard
            key={group.survivor.id}
            group={group}
            merges={merges}
            canDecide={canDecide}
            selected={group.survivor.id === selection.selected}
            onSelect={() => selection.select(group.survivor.id)}
          />
        ))}
      </Stack>
      <MoreButton query={query} />
      {canDecide && !query.hasNextPage && (
        <Stack align="center" mt="md">
          <ShowLessLikely bar={first.bar} />
        </Stack>
      )}
    </>
  )
}

/** Which of some ids is selected: the one that was, else the one that took its place. */
const useSelection = (ids: readonly string[]) => {
  const [last, setLast] = useState({ id: '', position: 0 })
  const found = ids.indexOf(last.id)
  const position = found >= 0 ? found : Math.max(0, Math.min(last.position, ids.length - 1))
  const select = (to: number) => {
    const id = ids[to]
    if (id !== undefined) setLast({ id, position: to })
  }
  // What took the place of a decided one is the selected one from then on.
  const selected = ids[position]
  if (selected !== undefined && selected !== last.id) setLast({ id: selected, position })
  return {
    selected,
    next: () => select(position + 1),
    previous: () => select(position - 1),
    select: (id: string) => select(ids.indexOf(id)),
  }
}
