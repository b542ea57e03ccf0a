import { Badge, Group, Stack, Text } from '@mantine/core'
import { MarkedText } from '../../parts/evidence/marked-text.tsx'
import type { Segment } from '../../parts/evidence/matching.ts'
import { Reference } from '../../parts/reference.tsx'

interface Props {
  readonly claim: { readonly reference: string }
  readonly segments: readonly Segment[]
  /** The reference of the claim that lives on. */
  readonly into: string | undefined
  readonly livesOn: boolean
}

/** One side of a pair, and what a merge would make of it. */
export const ClaimText = ({ claim, segments, into, livesOn }: Props) => (
  <Stack gap="xs">
    <Group gap="sm">
      <Reference of={claim.reference} />
      {livesOn ? (
        <Badge variant="light" color="teal" tt="none" fw={550}>
          survives
        </Badge>
      ) : (
        <Text size="xs" c="dimmed">
          goes into {into}
        </Text>
      )}
    </Group>
    <MarkedText segments={segments} />
  </Stack>
)
