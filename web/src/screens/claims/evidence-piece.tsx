import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { ClassificationBadge } from '../../parts/classification-badge.tsx'
import { counted } from '../../parts/evidence/counted.ts'
import { RejectedCandidates } from '../../parts/evidence/rejected-candidates.tsx'
import { Quote } from '../../parts/quote.tsx'
import { Reference } from '../../parts/reference.tsx'
import { When } from '../../parts/when.tsx'
import classes from './evidence-list.module.css'
import type { Evidence } from './use-claim.ts'

interface Props {
  readonly piece: Evidence
  readonly busy: boolean
  /** There for what the judge attached: anything else is taken back where it came from. */
  readonly onPullOut?: () => void
  /** There for what can be split off together with others. */
  readonly chosen?: boolean
  readonly onChoose?: (on: boolean) => void
}

const ATTACHED_BY = { cluster: 'the pipeline', judge: 'the judge', member: 'a member' } as const

/** One signal behind a claim: what it says, and who or what attached it, when and why. */
export const EvidencePiece = ({ piece, busy, onPullOut, chosen = false, onChoose }: Props) => (
  <li className={classes.piece} aria-label={piece.reference}>
    <Group gap="sm" mb="xs">
      {onChoose !== undefined && (
        <Checkbox
          size="xs"
          aria-label={`Choose ${piece.reference}`}
          checked={chosen}
          onChange={event => onChoose(event.currentTarget.checked)}
        />
      )}
      <Reference of={piece.reference} />
      <ClassificationBadge classification={piece.classification} />
      <Text size="xs" c="dimmed" component="div">
        {[piece.source, piece.actor_name].flatMap(name => (name === null ? [] : [<bdi key={name}>{name}</bdi>, ' · ']))}
        <When at={piece.occurred_at} />
        {piece.occurrences > 0 && ` · repeated ${counted(piece.occurrences, 'time')}`}
      </Text>
    </Group>
    <Quote text={piece.text} most={400} />
    <Stack gap="xs" mt="xs">
      <Text size="xs" c="dimmed" component="div" className={classes.why}>
        Attached by {ATTACHED_BY[piece.attached_by]}, <bdi>{piece.actor}</bdi>, <When at={piece.attached_at} />
        {piece.came_with.length > 0 && (
          <>
            {', came with '}
            {piece.came_with.join(', ')}
          </>
        )}
        : <bdi>{piece.reason}</bdi>
      </Text>
      <RejectedCandidates rejected={piece.lost_candidates} />
      {onPullOut !== undefined && (
        <Group>
          <Button
            size="compact-xs"
            variant="default"
            disabled={busy}
            onClick={onPullOut}
            aria-label={`Detach ${piece.reference}`}
            title="It starts a claim of its own, which stays apart from this one."
          >
            Detach
          </Button>
        </Group>
      )}
    </Stack>
  </li>
)
