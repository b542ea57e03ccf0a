import { Button, Stack } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { type Output, useChange, useOperation } from '../../api/operations.ts'
import { plural, t } from '../../language/messages.ts'
import { ProposalBar } from '../../parts/merging.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { notifyFailed } from '../../shell/notify.tsx'
import classes from './nothing-waits.module.css'

interface Props {
  readonly bar: Output<'list_merge_groups'>['bar']
  readonly canDecide: boolean
}

/** Where no pair waits: what was settled, and what there is besides. */
export const NothingWaits = ({ bar, canDecide }: Props) => {
  const merged = useOperation('lookup_proposals', { state: 'confirmed', limit: 1 }).data?.count ?? 0
  const refused = useOperation('lookup_proposals', { state: 'refused', limit: 1 }).data?.count ?? 0
  const box = useRef<HTMLDivElement>(null)
  // The card that had the focus is gone: whoever works by key or ear is told here.
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={box} tabIndex={-1} className={classes.message}>
      <EmptyState icon={IconGitMerge} title={t('No merge waits')}>
        {merged + refused > 0
          ? plural(
              merged + refused,
              '{number} pair is settled: {merged} merged, {refused} kept apart. New ones come with new signals.',
              '{number} pairs are settled: {merged} merged, {refused} kept apart. New ones come with new signals.',
              { merged, refused },
            )
          : t(
              'When a signal looks like an existing claim, both are shown here side by side, and people decide if they are the same.',
            )}
        {bar.raised && (
          <Stack align="center" gap="xs" mt="md">
            <ProposalBar bar={bar} />
            {canDecide && <ShowLessLikely bar={bar} />}
          </Stack>
        )}
      </EmptyState>
    </div>
  )
}

interface ShowLessLikelyProps {
  readonly bar: Output<'list_merge_groups'>['bar']
}

/** Asks for the next pairs that were too unlikely; nothing where there are none. */
export const ShowLessLikely = ({ bar }: ShowLessLikelyProps) => {
  const asking = useChange('show_less_likely', { invalidates: ['list_merge_groups', 'read_workspace_rules'] })
  if (!bar.raised) return null
  return (
    <Button
      variant="default"
      size="xs"
      loading={asking.isPending}
      onClick={() => asking.mutate({}, { onError: notifyFailed })}
    >
      {t('Show less likely pairs')}
    </Button>
  )
}
