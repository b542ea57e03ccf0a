import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { type Output, useOperationPages } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { MoreButton } from '../lists.tsx'
import { LiveStatus } from '../live-status.tsx'
import { Quote, SaidBy } from '../quote.tsx'
import { ErrorState } from '../states.tsx'
import classes from './repeats.module.css'
import { triage, undoDecision, useUndoableAction } from './undo.ts'

type Repeat = NonNullable<Output<'lookup_signal'>['signal']>['repeats'][number]

interface Props {
  /** Reference of the original signal. */
  readonly of: string
  readonly count: number
  /** The newest repeats, from the signal's own answer. */
  readonly newest: readonly Repeat[]
  readonly canEdit: boolean
}

/** Repeats of a signal: speaker, time, place and way. */
export const Repeats = ({ of, count, newest, canEdit }: Props) => {
  const [showsAll, setShowsAll] = useState(false)
  if (count === 0) return null
  return (
    <section aria-label={t('Repeats of {of}', { of })}>
      <Text size="xs" c="dimmed" mt="xs">
        {t('Repeated {times}', { times: counted(count, 'time') })}
      </Text>
      {showsAll ? <AllRepeats of={of} canEdit={canEdit} /> : <RepeatList repeats={newest} canEdit={canEdit} />}
      {!showsAll && newest.length < count && (
        <Button size="compact-xs" variant="subtle" onClick={() => setShowsAll(true)}>
          {t('Show all {count}', { count: count.toLocaleString(language) })}
        </Button>
      )}
    </section>
  )
}

const AllRepeats = ({ of, canEdit }: Pick<Props, 'of' | 'canEdit'>) => {
  const query = useOperationPages('list_repeats', { id: of })
  return (
    <>
      {query.error !== null && <ErrorState error={query.error} retry={query.refetch} />}
      <RepeatList repeats={query.items} canEdit={canEdit} />
      <MoreButton query={query} />
    </>
  )
}

interface RepeatListProps {
  readonly repeats: readonly Repeat[]
  readonly canEdit: boolean
}

const RepeatList = ({ repeats, canEdit }: RepeatListProps) => {
  const { act, busy } = useUndoableAction()
  const takeOut = ({ id, actor_name }: Repeat) =>
    act({
      change: `not a repeat ${id}`,
      run: () => triage({ action: 'not_a_repeat', signal_id: id }),
      doneMessage: () =>
        actor_name === null
          ? t('What the sender said is being made a separate signal.')
          : t('What {actor_name} said is being made a separate signal.', { actor_name }),
      undo: ({ decision }) => undoDecision(decision),
    })
  return (
    <ul className={classes.list}>
      {repeats.map(repeat => (
        <RepeatItem
          key={repeat.id}
          repeat={repeat}
          busy={busy}
          {...(canEdit && repeat.text !== null && !repeat.taken_out && { onTakeOut: () => takeOut(repeat) })}
        />
      ))}
    </ul>
  )
}

interface RepeatItemProps {
  readonly repeat: Repeat
  readonly busy: boolean
  readonly onTakeOut?: () => void
}

const RepeatItem = ({ repeat, busy, onTakeOut }: RepeatItemProps) => {
  const { text, actor_name: name, taken_out: leaving } = repeat
  return (
    <li className={classes.repeat}>
      <Group gap="sm" mb="xs">
        <Text size="xs" c="dimmed" component="div">
          <SaidBy of={repeat} />
        </Text>
        {onTakeOut !== undefined && (
          <Button
            size="compact-xs"
            variant="default"
            disabled={busy}
            onClick={onTakeOut}
            aria-label={t('Not a repeat: {name}', { name: name ?? t('somebody') })}
            title={t('It becomes a signal of its own. You can undo it.')}
          >
            {t('Not a repeat')}
          </Button>
        )}
      </Group>
      {text === null ? (
        <Text size="sm" c="dimmed">
          {t('Its text was not kept: it came before Assay kept the texts of repeats.')}
        </Text>
      ) : (
        <Quote text={text} most={400} />
      )}
      {leaving && (
        <LiveStatus>
          <Text size="xs" c="dimmed">
            {t('It is being made a separate signal.')}
          </Text>
        </LiveStatus>
      )}
    </li>
  )
}
