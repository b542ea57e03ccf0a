import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { score } from '../../parts/evidence/counted.ts'
import { RejectedCandidates } from '../../parts/evidence/rejected-candidates.tsx'
import { When } from '../../parts/when.tsx'
import type { MergePair } from './use-merges.ts'

interface Props {
  readonly pair: MergePair
  readonly children?: ReactNode
}

/** Why a pair was proposed: scores, the reason and whose it is, and what else was. */
export const PairFacts = ({ pair, children }: Props) => (
  <Stack gap="xs" mt="sm">
    <Text size="xs" c="dimmed">
      similarity {score(pair.similarity)} · rank score {pair.score.toFixed(4)} · <When at={pair.proposed_at} />
    </Text>
    <Text size="sm">
      {pair.found_by !== null && (
        <Text span inherit fw={550}>
          The judge <bdi>{pair.found_by}</bdi> finds them the same:{' '}
        </Text>
      )}
      <bdi style={{ overflowWrap: 'anywhere' }}>{pair.reason}</bdi>
    </Text>
    <RejectedCandidates rejected={pair.others} />
    <Group gap="sm">{children}</Group>
  </Stack>
)
