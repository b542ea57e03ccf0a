import { Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { MarkedText } from '../../parts/evidence/marked-text.tsx'
import { matching } from '../../parts/evidence/matching.ts'
import { RejectedCandidates } from '../../parts/evidence/rejected-candidates.tsx'
import { Reference } from '../../parts/reference.tsx'
import { When } from '../../parts/when.tsx'
import classes from './merge-log-entry.module.css'
import type { LogEntry } from './take-back.ts'

interface Props {
  readonly entry: LogEntry
  readonly busy: boolean
  /** Absent: the person’s role may not. */
  readonly onTakeBack?: () => void
}

const VERBS = { merge: 'merged into', attachment: 'attached to', refusal: 'kept apart from' } as const
const BACK = { merge: 'Undo merge', attachment: 'Detach', refusal: 'Propose again' } as const

export const MergeLogEntry = ({ entry, busy, onTakeBack }: Props) => {
  const { kind, from, into, by, actor, reason, decision, at, undone_at, undone_by, lost_candidates } = entry
  const [left, right] = useMemo(() => matching(from.text, into.text), [from.text, into.text])
  return (
    <li className={classes.entry} aria-label={`${from.reference} ${VERBS[kind]} ${into.reference}`}>
      <Group justify="space-between" gap="sm" mb="sm">
        <Group gap="sm">
          <Text size="sm" component="div">
            <Reference of={from.reference} /> {VERBS[kind]} <Reference of={into.reference} />
          </Text>
          <Text size="xs" c="dimmed" component="div">
            by {by === 'judge' && 'the judge '}
            <bdi>{actor}</bdi>, <When at={at} />
            {decision !== null && (
              <>
                , <Reference of={decision} />
              </>
            )}
          </Text>
          {undone_at !== null && (
            <Badge variant="outline" color="gray" tt="none" fw={550}>
              undone{undone_by !== null && ` by ${undone_by}`}
            </Badge>
          )}
        </Group>
        {undone_at === null && onTakeBack !== undefined && (
          <Button size="compact-sm" variant="default" disabled={busy} onClick={onTakeBack}>
            {BACK[kind]}
          </Button>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
        <MarkedText segments={left} />
        <MarkedText segments={right} />
      </SimpleGrid>
      <Stack gap="xs" mt="sm">
        <Text size="sm" c="dimmed" className={classes.reason}>
          <bdi>{reason}</bdi>
        </Text>
        <RejectedCandidates rejected={lost_candidates} />
      </Stack>
    </li>
  )
}
