import { Badge, Button, Text } from '@mantine/core'
import { IconGavel } from '@tabler/icons-react'
import { useState } from 'react'
import { type Output, useCanEdit, useChange, useOperation, useOperationPages } from '../../api/operations.ts'
import { counted, fromStored, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { statement } from '../../language/statements.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { clip } from '../../parts/formats.ts'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { Reference, When } from '../../parts/inline.tsx'
import { Quote } from '../../parts/quote.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import classes from './solution.module.css'
import { ByLine } from './solution-parts.tsx'
import { useRefetch } from './use-decision-change.ts'

const REFRESH_MS = 30_000

/** Every Decision about a Solution, newest first, with the key that an agent carried it in through. */
export const Decisions = ({ reference }: { readonly reference: string }) => {
  const { first, items, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'lookup_decision',
    { about: reference },
    { refresh_ms: REFRESH_MS },
  )
  if (first === undefined) {
    return error === null ? <LoadingState rows={5} height={48} /> : <ErrorState error={error} retry={refetch} />
  }
  if (items.length === 0) {
    return (
      <EmptyState icon={IconGavel} title={t('Nothing was decided about it yet')}>
        {t('Every change of a Solution belongs to a Decision, and is listed here.')}
      </EmptyState>
    )
  }
  return (
    <>
      <ol className={classes.rows}>
        {items.map(decision => (
          <DecisionItem key={decision.reference} decision={decision} about={reference} />
        ))}
      </ol>
      {hasNextPage && (
        <Button size="xs" variant="default" mt="md" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

type Decision = Output<'lookup_decision'>['items'][number]

interface DecisionItemProps {
  readonly decision: Decision
  /** The reference of the Solution whose changes are shown. */
  readonly about: string
}

/** One Decision: what, who, through what, and on demand what it changed. */
const DecisionItem = ({ decision, about }: DecisionItemProps) => {
  const [opened, setOpened] = useState(false)
  const [reversing, setReversing] = useState(false)
  const canEdit = useCanEdit()
  const { reference, text, made_by, key_label, made_at, reversed_by, reverses } = decision
  return (
    <li data-withdrawn={reversed_by !== null || undefined}>
      <Quote text={fromStored(text)} most={280} />
      <Text size="xs" c="dimmed" component="div" className={classes.about}>
        <Reference of={reference} />
        <ByLine name={made_by} label={key_label} />
        <When at={made_at} />
        {reverses !== null && <span>{rich('reverses {reference}', { reference: <Reference of={reverses} /> })}</span>}
        {reversed_by !== null && (
          <Badge variant="outline" color="gray" tt="none" size="sm">
            {t('reversed by {reversed_by}', { reversed_by })}
          </Badge>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={opened}
          aria-description={reference}
          onClick={() => setOpened(!opened)}
        >
          {t('What it changed')}
        </Button>
        {canEdit && reversed_by === null && (
          <Button size="compact-xs" variant="subtle" aria-description={reference} onClick={() => setReversing(true)}>
            {t('Reverse')}
          </Button>
        )}
      </Text>
      {opened && <Changed decision={reference} about={about} />}
      {reversing && <Reverse decision={reference} onClose={() => setReversing(false)} />}
    </li>
  )
}

const Changed = ({ decision, about }: { readonly decision: string; readonly about: string }) => {
  const { data, error, refetch } = useOperation('lookup_decision', { id: decision, depth: 'full' })
  if (data === undefined) {
    return error === null ? <LoadingState rows={1} height={20} /> : <ErrorState error={error} retry={refetch} />
  }
  const here = data.changes.filter(({ reference }) => reference === about)
  const lines = here.flatMap(({ change }) => changeLines(change))
  const others = data.count - here.length
  return (
    <ul className={classes.changes}>
      {lines.map(line => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
      {lines.length === 0 && <li>{t('Nothing in this Solution: the Decision is only about it.')}</li>}
      {others > 0 && <li>{t('And {changes} of other objects.', { changes: counted(others, 'change') })}</li>}
    </ul>
  )
}

const Reverse = ({ decision, onClose }: { readonly decision: string; readonly onClose: () => void }) => {
  const readAgain = useRefetch()
  const reversing = useChange('reverse_decision', {
    onSuccess: () => {
      notifyDone(t('{decision} is reversed.', { decision }))
      readAgain()
      onClose()
    },
  })
  const form = useNewForm(`reverse ${decision}`, {})
  return (
    <DecisionDialog
      opened
      title={t('Reverse {decision}', { decision })}
      action={t('Reverse it')}
      statement={statement('{decision} is reversed.', { decision })}
      change={reversing}
      form={form}
      onClose={onClose}
      onDecide={({ comment }) => reversing.mutate({ decision_id: decision, ...(comment !== undefined && { comment }) })}
    >
      <Text size="sm">
        {t('What it changed of Solutions is undone, in a Decision of its own, unless it was changed since.')}
      </Text>
    </DecisionDialog>
  )
}

const MAX_CHARACTERS = 120

/** What else is told of a change than what it changed. */
const BESIDE = new Set(['comment', 'carried_out_by', 'claim_ids'])

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return t('none')
  return clip(typeof value === 'string' ? value : JSON.stringify(value), MAX_CHARACTERS)
}

const worded = (field: string): string => field.replaceAll('_', ' ')

const lineOf = (field: string, value: unknown): string => {
  if (typeof value === 'object' && value !== null && 'from' in value && 'to' in value) {
    return `${worded(field)}: ${shown(value.from)} → ${shown(value.to)}`
  }
  if (Array.isArray(value)) return `${worded(field.replace(/_ids$/, 's'))}: ${value.length}`
  return `${worded(field)}: ${shown(value)}`
}

/** A Decision’s change of one object, field by field, for people to read. */
const changeLines = (change: Readonly<Record<string, unknown>>): readonly string[] => {
  if (change.created === true) return [t('It was created.')]
  const lines = Object.entries(change).flatMap(([field, value]) => (BESIDE.has(field) ? [] : [lineOf(field, value)]))
  const { comment, carried_out_by } = change
  const beside = [
    ...(typeof comment === 'string' ? [t('Comment: {comment}', { comment: fromStored(shown(comment)) })] : []),
    ...(typeof carried_out_by === 'string'
      ? [t('Carried out by {carried_out_by}', { carried_out_by: shown(carried_out_by) })]
      : []),
  ]
  return [...lines, ...beside]
}
