import { Badge, Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useChange, useOperation } from '../../api/hooks.ts'
import { useCanEdit } from '../../api/use-role.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Quote } from '../../parts/quote.tsx'
import { Reference } from '../../parts/reference.tsx'
import { When } from '../../parts/when.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { ByLine } from './by-line.tsx'
import { changeLines } from './change-lines.ts'
import { counted } from './figures.ts'
import classes from './solution.module.css'
import { useRefetch } from './use-decision-change.ts'

type Decision = Output<'lookup_decision'>['items'][number]

interface Props {
  readonly decision: Decision
  /** The reference of the Solution whose changes are shown. */
  readonly about: string
}

/** One Decision: what, who, through what, and on demand what it changed. */
export const DecisionItem = ({ decision, about }: Props) => {
  const [opened, setOpened] = useState(false)
  const [reversing, setReversing] = useState(false)
  const canEdit = useCanEdit()
  const { reference, text, made_by, key_label, made_at, reversed_by, reverses } = decision
  return (
    <li data-withdrawn={reversed_by !== null || undefined}>
      <Quote text={text} most={280} />
      <Text size="xs" c="dimmed" component="div" className={classes.about}>
        <Reference of={reference} />
        <ByLine name={made_by} label={key_label} />
        <When at={made_at} />
        {reverses !== null && (
          <span>
            reverses <Reference of={reverses} />
          </span>
        )}
        {reversed_by !== null && (
          <Badge variant="outline" color="gray" tt="none" size="sm">
            reversed by {reversed_by}
          </Badge>
        )}
        <Button size="compact-xs" variant="subtle" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          What it changed
        </Button>
        {canEdit && reversed_by === null && (
          <Button size="compact-xs" variant="subtle" onClick={() => setReversing(true)}>
            Reverse
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
      {lines.length === 0 && <li>Nothing of this Solution: it is about it.</li>}
      {others > 0 && <li>And {counted(others, 'change')} of other objects.</li>}
    </ul>
  )
}

const Reverse = ({ decision, onClose }: { readonly decision: string; readonly onClose: () => void }) => {
  const readAgain = useRefetch()
  const reversing = useChange('reverse_decision', {
    onSuccess: () => {
      notifyDone(`${decision} is reversed.`)
      readAgain()
      onClose()
    },
  })
  return (
    <DecisionDialog
      opened
      title={`Reverse ${decision}`}
      action="Reverse it"
      statement={`${decision} is reversed.`}
      pending={reversing.isPending}
      error={reversing.error}
      onClose={onClose}
      onDecide={({ comment }) => reversing.mutate({ decision_id: decision, ...(comment !== undefined && { comment }) })}
    >
      <Text size="sm">
        What it changed of Solutions is undone, in a Decision of its own, unless it was changed since.
      </Text>
    </DecisionDialog>
  )
}
