import { Badge, Button, Group, SimpleGrid, Stack, Tabs, Text } from '@mantine/core'
import { IconGitMerge, IconHandStop } from '@tabler/icons-react'
import { useMemo } from 'react'
import { type Output, useOperationPages, useRole } from '../../api/operations.ts'
import { fromStored, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { MarkedText } from '../../parts/evidence/marked-text.tsx'
import { matching } from '../../parts/evidence/matching.ts'
import { RejectedCandidates } from '../../parts/evidence/rejected-candidates.tsx'
import { mergeAgain, triage, useUndoableAction } from '../../parts/evidence/undo.ts'
import { Reference, When } from '../../parts/inline.tsx'
import { MoreButton } from '../../parts/lists.tsx'
import { Judge, useAboutJudge, useHasJudge, WhoMerges } from '../../parts/merging.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { undoKeys, useKeys } from '../../shell/keys.ts'
import classes from './proposals.module.css'
import { WaitingMerges } from './waiting-merges.tsx'

const DEFAULTS = { show: 'waiting' }
const TABS = { waiting: t('Waiting'), merged: t('Merged'), refused: t('Kept apart') } as const

/** Claims that may be the same, to be decided on, and the log of what people and the judge decided. */
const Proposals = () => {
  const [{ show }, change] = useUrlState(DEFAULTS)
  const aboutJudge = useAboutJudge()
  const about =
    useHasJudge() === false
      ? t(
          'Claims that look alike. Nothing merges on similarity: a person says that two are the same, and each merge can be taken back.',
        )
      : t(
          'Claims that look alike. Nothing merges on similarity: a person or the judge says that two are the same, and each merge can be taken back.',
        )
  return (
    <Page>
      <PageHeader title={t('Proposed merges')} about={`${about} ${aboutJudge}`}>
        <WhoMerges />
      </PageHeader>
      <Tabs value={show} onChange={value => change({ show: value ?? 'waiting' })} keepMounted={false}>
        <Tabs.List mb="md" aria-label={t('Proposed merges')}>
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
  useKeys(canDecide ? undoKeys(undoLast) : [])
  if (first === undefined) {
    return error === null ? <LoadingState rows={4} height={96} /> : <ErrorState error={error} retry={query.refetch} />
  }
  if (items.length === 0) {
    return kind === 'merged' ? (
      <EmptyState icon={IconGitMerge} title={t('Nothing is merged')}>
        {t('Every merge is listed here, with who made it and why.')}
      </EmptyState>
    ) : (
      <EmptyState icon={IconHandStop} title={t('Nothing is kept apart')}>
        {t('A pair that is refused is listed here and not proposed again, until somebody takes the refusal back.')}
      </EmptyState>
    )
  }
  return (
    <>
      <Stack component="ol" gap={0} m={0} p={0} aria-label={kind === 'merged' ? t('Merges') : t('Refusals')}>
        {items.map(entry => (
          <MergeLogEntry
            key={`${entry.kind} ${entry.id}`}
            entry={entry}
            {...(canDecide && { onTakeBack: () => act({ change: `undo ${entry.id}`, ...undoMergeLogEntry(entry) }) })}
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

const VERBS = { merge: t('merged into'), attachment: t('attached to'), refusal: t('kept apart from') } as const
const BACK = { merge: t('Undo merge'), attachment: t('Detach'), refusal: t('Propose again') } as const

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
            {by === 'judge'
              ? rich('by <judge>the judge</judge> {actor}, {when}', {
                  judge: inner => <Judge>{inner}</Judge>,
                  actor: <bdi>{actor}</bdi>,
                  when: <When at={at} />,
                })
              : rich('by {actor}, {when}', { actor: <bdi>{actor}</bdi>, when: <When at={at} /> })}
            {decision !== null && (
              <>
                , <Reference of={decision} />
              </>
            )}
          </Text>
          {undone_at !== null && (
            <Badge variant="outline" color="gray" tt="none" fw={550}>
              {undone_by === null ? t('undone') : t('undone by {undone_by}', { undone_by })}
            </Badge>
          )}
        </Group>
        {undone_at === null && onTakeBack !== undefined && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={busy}
            aria-description={from.reference}
            onClick={onTakeBack}
          >
            {BACK[kind]}
          </Button>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
        <MarkedText segments={left} />
        <MarkedText segments={right} />
      </SimpleGrid>
      <Stack gap="xs" mt="sm">
        <Text size="sm" c="dimmed" className="anywhere">
          <bdi>{fromStored(reason)}</bdi>
        </Text>
        <RejectedCandidates of={from.reference} rejected={lost_candidates} />
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
        doneMessage: () =>
          t('{reference} is separate from {reference2} again, and stays separate.', {
            reference: from.reference,
            reference2: into.reference,
          }),
        undo: () => mergeAgain(from.id, into.id),
      }
    case 'attachment':
      return {
        run: () => triage({ action: 'undo', signal_id: from.id, claim_id: into.id }),
        doneMessage: ({ claim }: Output<'triage'>) =>
          t('{reference} has a claim of its own, {reference2}.', {
            reference: from.reference,
            reference2: claim?.reference,
          }),
        undo: ({ claim }: Output<'triage'>) => mergeAgain(claim?.id ?? '', into.id),
      }
    case 'refusal':
      return {
        run: () => triage({ action: 'undo', proposal_id: id }),
        doneMessage: () =>
          t('{reference} and {reference2} wait for a decision again.', {
            reference: from.reference,
            reference2: into.reference,
          }),
        undo: ({ merges }: Output<'triage'>) =>
          triage({
            action: 'refuse_merge',
            proposal_ids: merges.flatMap(({ proposal_id }) => proposal_id ?? []),
          }),
      }
  }
}
