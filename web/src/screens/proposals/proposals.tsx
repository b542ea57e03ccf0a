import { Badge, Button, Group, SimpleGrid, Stack, Tabs, Text } from '@mantine/core'
import { IconGitMerge, IconHandStop } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Output } from '../../api/client.ts'
import { useOperationPages } from '../../api/hooks.ts'
import { useRole } from '../../api/use-role.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { MarkedText } from '../../parts/evidence/marked-text.tsx'
import { matching } from '../../parts/evidence/matching.ts'
import { MoreButton } from '../../parts/evidence/more-button.tsx'
import { RejectedCandidates } from '../../parts/evidence/rejected-candidates.tsx'
import { mergeAgain, triage } from '../../parts/evidence/triage.ts'
import { useUndoableAction } from '../../parts/evidence/use-undoable-action.ts'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Reference } from '../../parts/reference.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { When } from '../../parts/when.tsx'
import { WhoMerges } from '../../parts/who-merges.tsx'
import { useKeys } from '../../shell/keys.ts'
import classes from './merge-log-entry.module.css'
import { WaitingMerges } from './waiting-merges.tsx'

const DEFAULTS = { show: 'waiting' }
const TABS = { waiting: 'Waiting', merged: 'Merged', refused: 'Kept apart' } as const

/** Claims that may be the same, to be decided on, and the log of what people and the judge decided. */
const Proposals = () => {
  const [{ show }, change] = useUrlState(DEFAULTS)
  return (
    <Page>
      <PageHeader
        title="Proposed merges"
        about="Claims that look alike. Nothing merges on similarity: a person or the judge says that two are the same, and each merge can be taken back."
      >
        <WhoMerges />
      </PageHeader>
      <Tabs value={show} onChange={value => change({ show: value ?? 'waiting' })} keepMounted={false}>
        <Tabs.List mb="md">
          {Object.entries(TABS).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="waiting">
          <WaitingMerges />
        </Tabs.Panel>
        <Tabs.Panel value="merged">
          <MergeLog what="merged" />
        </Tabs.Panel>
        <Tabs.Panel value="refused">
          <MergeLog what="refused" />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

export default Proposals

interface MergeLogProps {
  readonly what: 'merged' | 'refused'
}

/** What people and the judge decided, the newest first, each with a way back. */
const MergeLog = ({ what: kind }: MergeLogProps) => {
  const query = useOperationPages('list_merge_log', { kind })
  const { items, first, error } = query
  const { act, busy, undoLast } = useUndoableAction()
  const role = useRole()
  const canDecide = role === 'owner' || role === 'member'
  useKeys(canDecide ? [{ key: 'z', does: 'Undo', run: undoLast }] : [])
  if (first === undefined) {
    return error === null ? <LoadingState rows={4} height={96} /> : <ErrorState error={error} retry={query.refetch} />
  }
  if (items.length === 0) {
    return kind === 'merged' ? (
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
      <Stack component="ol" gap={0} m={0} p={0} aria-label={kind === 'merged' ? 'Merges' : 'Refusals'}>
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

interface MergeLogEntryProps {
  readonly entry: LogEntry
  readonly busy: boolean
  /** Absent: the person’s role may not. */
  readonly onTakeBack?: () => void
}

const VERBS = { merge: 'merged into', attachment: 'attached to', refusal: 'kept apart from' } as const
const BACK = { merge: 'Undo merge', attachment: 'Detach', refusal: 'Propose again' } as const

const MergeLogEntry = ({ entry, busy, onTakeBack }: MergeLogEntryProps) => {
  const {
    kind,
    from,
    into,
    by,
    actor,
    reason,
    decision,
    at,
    undone_at,
    undone_by,
    rejected_candidates: lost_candidates,
  } = entry
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

type LogEntry = Output<'list_merge_log'>['items'][number]

/** How an entry of the log is taken back, and how that is undone in turn. */
const undoMergeLogEntry = ({ kind, id, from, into }: LogEntry) => {
  switch (kind) {
    case 'merge':
      return {
        run: () => triage({ action: 'undo', claim_id: from.id }),
        doneMessage: () => `${from.reference} is apart from ${into.reference} again, and stays so.`,
        undo: () => mergeAgain(from.id, into.id),
      }
    case 'attachment':
      return {
        run: () => triage({ action: 'undo', signal_id: from.id, claim_id: into.id }),
        doneMessage: ({ claim }: Output<'triage'>) => `${from.reference} has a claim of its own, ${claim?.reference}.`,
        undo: ({ claim }: Output<'triage'>) => mergeAgain(claim?.id ?? '', into.id),
      }
    case 'refusal':
      return {
        run: () => triage({ action: 'undo', proposal_id: id }),
        doneMessage: () => `${from.reference} and ${into.reference} wait for a decision again.`,
        undo: ({ merges }: Output<'triage'>) =>
          triage({
            action: 'refuse_merge',
            proposal_ids: merges.flatMap(({ proposal_id }) => proposal_id ?? []),
          }),
      }
  }
}
