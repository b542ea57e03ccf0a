import { Stack } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { Output } from '../../api/client.ts'
import { useOperation } from '../../api/hooks.ts'
import { plural, t } from '../../language/messages.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ProposalBar } from '../../parts/proposal-bar.tsx'
import classes from './nothing-waits.module.css'
import { ShowLessLikely } from './show-less-likely.tsx'

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
    <div ref={box} tabIndex={-1} className={classes.told}>
      <EmptyState icon={IconGitMerge} title={t('No merge waits')}>
        {merged + refused > 0
          ? plural(
              merged + refused,
              '{number} pair is settled: {merged} merged, {refused} kept apart. New ones come with new Signals.',
              '{number} pairs are settled: {merged} merged, {refused} kept apart. New ones come with new Signals.',
              { merged, refused },
            )
          : t(
              'When a signal resembles a claim that is there, the two come here side by side, and people say whether they are the same.',
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
