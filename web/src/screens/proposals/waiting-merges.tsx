import { Box, Button, Group, Kbd, Stack, Text } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useLiveChange } from '../../api/live-connection.ts'
import { useOperationPages, useRole } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { MarksLegend } from '../../parts/evidence/marked-text.tsx'
import { addressOfReference } from '../../parts/inline.tsx'
import { MoreButton } from '../../parts/lists.tsx'
import { ProposalBar } from '../../parts/merging.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { undoKeys, useKeys } from '../../shell/keys.ts'
import { useSeenGroups } from './groups-seen.ts'
import { likeliestFirst, type MergeGroup } from './likely.ts'
import { MergeGroupCard } from './merge-group-card.tsx'
import { MergeLikely } from './merge-likely.tsx'
import { NothingWaits, ShowLessLikely } from './nothing-waits.tsx'
import { type Merges, useMerges } from './use-merges.ts'
import { useFocusOn, useSelection } from './use-selection.ts'
import classes from './waiting-merges.module.css'

const REFRESH_MS = 15_000
const READ = { limit: 40 }
/** The list that its keys belong to. */
const GROUPS = 'merge-groups'
/** With fewer left to decide on, the next page is read. */
const FEW = 20

/** The inbox: pairs that wait, those with one claim in common as one decision. */
export const WaitingMerges = () => {
  const query = useOperationPages('list_merge_groups', READ, { refresh_ms: REFRESH_MS })
  const { items, first, error, hasNextPage, isFetching, fetchNextPage, refetch } = query
  const navigate = useNavigate()
  const role = useRole()
  const canDecide = role === 'owner' || role === 'member'
  const selection = useSelection()
  const merges = useMerges(selection.select)
  useLiveChange(['decisions'], merges.readAgainSoon)
  const [skipped, setSkipped] = useState<readonly string[]>([])

  const left = items.flatMap(group => {
    const rest = merges.leftOf(group)
    return rest === null ? [] : { ...rest, pairs: likeliestFirst(rest.pairs) }
  })
  const seen = useSeenGroups(left, merges.leftOf)
  const groups = skippedLast(seen.groups, skipped)
  const { selected, at, ...go } = selection.of(groups)
  const current = groups.find(({ survivor }) => survivor.id === selected)
  const isBegun = items.some(group => group.survivor.id === selected && merges.leftOf(group) !== group)
  seen.hold(isBegun ? undefined : current)
  const skip = (group: MergeGroup) => {
    const { id } = group.survivor
    // Others have decided on all of it.
    if (group.pairs.length === 0) return seen.release()
    const next = groups[groups.indexOf(group) + 1] ?? groups[0]
    if (next !== undefined) selection.select(next.survivor.id)
    setSkipped([...skipped.filter(other => other !== id), id])
  }
  const onCurrent = (work: (group: MergeGroup) => unknown) => () => {
    if (current !== undefined) work(current)
  }
  const deciding = [
    { key: '1', does: t('Merge the group'), run: onCurrent(merges.merge) },
    { key: '3', does: t('Not the same: keep the group apart'), run: onCurrent(merges.refuse) },
    { key: 's', does: t('Skip: decide on it last'), run: onCurrent(skip) },
    { key: 't', does: t('Take the claim out of the group, or put it back'), run: onCurrent(group => toggleAt(group)) },
    {
      key: 'T',
      does: t('Take the oldest claim out of the group, or put it back'),
      run: onCurrent(group => toggleIn(group, group.survivor)),
    },
    { key: 'x', does: t('Swap the direction'), run: onCurrent(merges.swap) },
  ]
  const toggleAt = (group: MergeGroup) => {
    const pair = group.pairs[at]
    if (pair !== undefined) toggleIn(group, pair.claim)
  }
  const toggleIn = (group: MergeGroup, claim: MergeGroup['survivor']) => {
    if (group.pairs.length > 1) merges.toggle(group, claim)
  }
  useKeys(
    [
      { key: 'j', does: t('Next group'), run: go.next },
      { key: 'k', does: t('Previous group'), run: go.previous },
      { key: 'J', does: t('Next claim of the group'), run: go.nextPair },
      { key: 'K', does: t('Previous claim of the group'), run: go.previousPair },
      {
        key: 'o',
        does: t('Open the claim'),
        run: onCurrent(({ survivor }) => navigate(addressOfReference(survivor.reference) ?? '/app/claims')),
      },
      ...(canDecide ? deciding : []),
    ].map(binding => ({ ...binding, list: `#${GROUPS}` })),
  )

  useKeys(canDecide ? undoKeys(merges.undo) : [])

  const list = useFocusOn(selected, at)
  const { data } = query
  const common = useMemo(() => new Set(data?.pages.flatMap(page => page.data.common ?? [])), [data])

  const wantsMore = left.length < FEW && hasNextPage && !isFetching
  // Where some were decided, what is behind the last page has moved up.
  const readMore = left.length < items.length ? refetch : fetchNextPage
  useEffect(() => {
    if (wantsMore) void readMore()
  }, [wantsMore, readMore])

  if (first === undefined) {
    return error === null ? <LoadingState rows={3} height={160} /> : <ErrorState error={error} retry={query.refetch} />
  }
  const inAll = (of: readonly MergeGroup[]) => of.reduce((sum, { count }) => sum + count, 0)
  const nothingWaits = groups.length === 0 && !hasNextPage
  return (
    <>
      {nothingWaits ? (
        <NothingWaits bar={first.bar} canDecide={canDecide} />
      ) : (
        <>
          <Group justify="space-between" align="start" gap="md" mb="md">
            <Stack gap={0} maw="44rem">
              <Text size="sm" c="dimmed">
                {t('{pairs} to decide on, in {groups}, the likeliest first.', {
                  pairs: counted(first.pairs - inAll(items) + inAll(left), 'pair'),
                  groups: counted(first.count - items.length + left.length, 'group'),
                })}
                {role === 'viewer' &&
                  ` ${t('You are a viewer and cannot decide; an owner can make you a member, who can.')}`}
              </Text>
              <MarksLegend />
            </Stack>
            {canDecide && <MergeLikely groups={groups} merges={merges} />}
          </Group>
          <Stack component="ol" id={GROUPS} ref={list} gap="md" m={0} p={0} aria-label={t('Proposed merges')}>
            {groups.map(group => (
              <MergeGroupCard
                key={group.survivor.id}
                group={group}
                merges={merges}
                canDecide={canDecide}
                common={common}
                selected={group === current}
                at={at}
                news={group === current ? seen.news : 0}
                onNews={seen.release}
                onSelect={() => selection.select(group.survivor.id)}
                onSkip={() => skip(group)}
              />
            ))}
          </Stack>
          {groups.length === 0 && <LoadingState rows={3} height={160} />}
          <Box mb="md">
            <MoreButton query={query} />
            {!hasNextPage && (
              <Stack align="center" gap="xs" mt="md">
                <ProposalBar bar={first.bar} />
                {canDecide && <ShowLessLikely bar={first.bar} />}
              </Stack>
            )}
          </Box>
        </>
      )}
      <ReviewBar merges={merges} canDecide={canDecide} />
    </>
  )
}

/** In their order, and what was skipped in the order of the skips. */
const skippedLast = (groups: readonly MergeGroup[], skipped: readonly string[]): readonly MergeGroup[] => {
  const place = ({ survivor }: MergeGroup) => skipped.indexOf(survivor.id)
  return groups.toSorted((one, other) => place(one) - place(other))
}

interface Props {
  readonly merges: Merges
  readonly canDecide: boolean
}

/** What was decided last, and the way back. It stays in sight, and is read out. */
const ReviewBar = ({ merges, canDecide }: Props) => (
  <div
    className={classes.bar}
    data-chrome
    data-says={merges.status !== '' || merges.canUndo || undefined}
    hidden={!canDecide}
  >
    <Text size="sm" role="status" truncate flex="0 1 auto">
      {merges.status}
    </Text>
    {merges.canUndo && (
      <Button
        size="compact-sm"
        variant="light"
        onClick={merges.undo}
        rightSection={
          <Kbd size="xs" aria-hidden className={classes.key}>
            z
          </Kbd>
        }
      >
        {t('Undo')}
      </Button>
    )}
    <Text size="xs" c="dimmed" ms="auto" className={classes.key}>
      {rich('{kbd} keys', { kbd: <Kbd size="xs">?</Kbd> })}
    </Text>
  </div>
)
