import { Anchor, Button, Group, Switch, Text, Title } from '@mantine/core'
import { IconGavel } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { callOnce, useOperationPages, useRole } from '../../api/operations.ts'
import { counted, fromStored, language, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { DecidedBy, DecisionList } from '../../parts/evidence/decisions.tsx'
import { undoDecision } from '../../parts/evidence/undo.ts'
import { clip } from '../../parts/formats.ts'
import { MoreButton } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { Quote } from '../../parts/quote.tsx'
import { SearchField, useTyped } from '../../parts/search-field.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import { type Change, ChangeList, useDecision } from './change-list.tsx'

/** `/app/decisions` is all of them, `/app/decisions/DEC-1` one. */
const Decisions = () => {
  const { '*': id = '' } = useParams()
  return id === '' ? <DecisionLog /> : <DecisionPage key={id} id={id} />
}

export default Decisions

const ALL = 'all'
const DEFAULTS = { text: '', show: '' }

/** The Decisions of the workspace, the newest first. Those of every day would drown the others: they are asked for. */
const DecisionLog = () => {
  const [state, change] = useUrlState(DEFAULTS)
  const text = state.text.trim()
  const routine = state.show === ALL
  const field = useTyped(state.text, text => change({ text }))
  const query = useOperationPages(
    'list_decisions',
    { ...(text !== '' && { text }), routine, limit: 50 },
    { keep: true },
  )
  const { items, first, error } = query
  const isNew = text === '' && first?.left_out === 0
  return (
    <Page width="reading">
      <PageHeader
        title={t('Decisions')}
        about={t('What was decided, by which person, and through the app or which key.')}
      />
      <Group gap="md" mb="md" role="search" data-chrome>
        <SearchField label={t('Search Decisions')} field={field} flex="1 1 9rem" maw={320} />
        <Switch
          size="xs"
          label={t('Routine ones too')}
          description={t('Accepted and dismissed signals, pairs that are not the same, saved versions.')}
          checked={routine}
          onChange={event => change({ show: event.currentTarget.checked ? ALL : '' })}
        />
      </Group>
      {first === undefined &&
        (error === null ? <LoadingState rows={8} height={44} /> : <ErrorState error={error} retry={query.refetch} />)}
      {first?.count === 0 && !isNew && (
        <EmptyState icon={IconGavel} title={t('No Decision matches')}>
          {first.left_out > 0
            ? t('Routine ones do: the switch above lists them.')
            : t('Nobody decided anything in these words.')}
        </EmptyState>
      )}
      {first?.count === 0 && isNew && (
        <EmptyState icon={IconGavel} title={t('Nothing is decided yet')}>
          {t('Every triage, merge and change of a Solution is logged here, with who decided it.')}
        </EmptyState>
      )}
      {first !== undefined && first.count > 0 && (
        <Text size="sm" c="dimmed" mb="sm" role="status">
          {counted(first.count, 'Decision')}.{' '}
          {first.left_out > 0 && t('{left_out} routine ones are not shown.', { left_out: first.left_out })}
        </Text>
      )}
      <DecisionList decisions={items} />
      <MoreButton query={query} />
    </Page>
  )
}

interface DecisionPageProps {
  readonly id: string
}

/** One Decision: its words, whose it is and through what, what it changed, and taking that back. */
const DecisionPage = ({ id }: DecisionPageProps) => {
  const query = useDecision(id)
  const { decision, changes, changeId, count, error } = query
  const role = useRole()
  const reversal = useReversal(id, changes, changeId)
  const mayReverse = role === 'owner' || role === 'member'
  return (
    <Page width="reading">
      <Text size="sm" mb="xs">
        <Anchor component={Link} to="/app/decisions" inherit>
          {t('Decisions')}
        </Anchor>
      </Text>
      <PageHeader
        title={decision?.reference ?? id}
        tab={decision === undefined ? id : `${decision.reference} ${clip(fromStored(decision.text), 60)}`}
        about={decision && <DecidedBy decision={decision} />}
      >
        {mayReverse && decision?.reversed_by === null && reversal.reverse !== null && (
          <Button size="xs" variant="default" disabled={reversal.busy} onClick={reversal.reverse}>
            {t('Reverse')}
          </Button>
        )}
      </PageHeader>
      {decision === undefined &&
        (error === null ? <LoadingState rows={4} height={44} /> : <ErrorState error={error} retry={query.refetch} />)}
      {decision !== undefined && (
        <>
          <Quote text={fromStored(decision.text)} most={4000} />
          <Title order={2} mt="lg" mb="sm">
            {rich('What it changed {count}', {
              count: (
                <Text span inherit c="dimmed" fw={400}>
                  {count.toLocaleString(language)}
                </Text>
              ),
            })}
          </Title>
          <ChangeList changes={changes} />
          <MoreButton query={query} />
        </>
      )}
    </Page>
  )
}

/**
 * What was decided in Triage is undone there; what it changed of Solutions and the strategy is reversed. Anything else
 * is decided anew.
 */
const TRIAGED = ['triage', 'merged_into', 'merged_from', 'refused_merge_with', 'promoted_signal']

/** Taking a Decision back, as a Decision of its own; null where it changed nothing that can be. */
const useReversal = (id: string, changes: readonly Change[], changeId: string | null) => {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const isTriaged = changes.some(({ change }) => TRIAGED.some(field => field in change))
  // What was decided in Triage with a Solution that answers it is one call, and taken back as one.
  const isWithSolution = isTriaged && changes.some(({ kind, change }) => kind === 'solution' && change.created === true)
  const isReversible = changes.some(({ kind }) => kind === 'solution' || kind === 'strategy_element')
  const reverse = async () => {
    setBusy(true)
    try {
      const decision =
        isWithSolution && changeId !== null
          ? (await callOnce('undo_change', { change_id: changeId }, { asks: true })).data.decision
          : isTriaged
            ? (await undoDecision({ id }))?.decision
            : (await callOnce('reverse_decision', { decision_id: id }, { asks: true })).data.decision
      notifyDone(t('It was reversed, by {reference}.', { reference: decision?.reference }))
    } catch (error) {
      notifyFailed(error)
    } finally {
      await queries.invalidateQueries()
      setBusy(false)
    }
  }
  return { busy, reverse: isTriaged || isReversible ? reverse : null }
}
