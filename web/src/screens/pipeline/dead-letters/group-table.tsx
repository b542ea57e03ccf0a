import { Box, Button, Group, Table, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useOperationPages } from '../../../api/operations.ts'
import { counted, language, t, word } from '../../../language/messages.ts'
import { rich } from '../../../language/rich.ts'
import { clip } from '../../../parts/formats.ts'
import { When } from '../../../parts/inline.tsx'
import { QuietHead } from '../../../parts/lists.tsx'
import { StackingTable } from '../../../parts/stacking-table.tsx'
import { ErrorState, LoadingState } from '../../../parts/states.tsx'
import tables from '../tables.module.css'
import {
  type DeadLetter,
  type DeadLetterGroup,
  type DeadLetterState,
  FAULT_LABELS,
  type OpenDialog,
  selectionOfGroup,
} from './dead-letter-actions.tsx'
import classes from './group-table.module.css'

interface Props {
  readonly groups: readonly DeadLetterGroup[]
  readonly state: DeadLetterState
  readonly canEdit: boolean
  readonly onOpenDialog: (dialog: OpenDialog) => void
  readonly onInspect: (deadLetter: DeadLetter) => void
}

const nameOf = ({ step, fault, error_class }: DeadLetterGroup): string => `${word(step)} ${word(fault)} ${error_class}`

/** Letters by what they died of, each group unfolding to its letters. */
export const GroupTable = ({ groups, ...rest }: Props) => {
  const [opened, setOpened] = useState<readonly string[]>([])
  const toggle = (name: string) =>
    setOpened(opened.includes(name) ? opened.filter(each => each !== name) : [...opened, name])
  return (
    <StackingTable minWidth={700} label={t('Dead letters, scrolling')}>
      <Table aria-label={t('Dead letters by reason')} className={tables.quiet ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Reason')}</Table.Th>
            <Table.Th>{t('Step')}</Table.Th>
            <Table.Th>{t('Fault')}</Table.Th>
            <Table.Th ta="end">{t('Dead letters')}</Table.Th>
            <Table.Th>{t('Newest')}</Table.Th>
            <QuietHead label={t('Actions')} />
          </Table.Tr>
        </Table.Thead>
        {groups.map(group => (
          <Table.Tbody key={nameOf(group)}>
            <GroupRows
              of={group}
              opened={opened.includes(nameOf(group))}
              toggle={() => toggle(nameOf(group))}
              {...rest}
            />
          </Table.Tbody>
        ))}
      </Table>
    </StackingTable>
  )
}

interface RowsProps extends Omit<Props, 'groups'> {
  readonly of: DeadLetterGroup
  readonly opened: boolean
  readonly toggle: () => void
}

const GroupRows = ({ of: group, opened, toggle, state, canEdit, onOpenDialog, onInspect }: RowsProps) => {
  const { step, fault, error_class, dead_letters, max_dead_letter_count, last_failed_at, last_message } = group
  const dialog = {
    selection: selectionOfGroup(group),
    about: t('{deadLetters} at {step}: {error_class}', {
      deadLetters: counted(dead_letters, 'dead letter'),
      step: word(step),
      error_class,
    }),
  }
  return (
    <>
      <Table.Tr>
        <Table.Td data-whole>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            c="inherit"
            px={4}
            ms={-4}
            fw={550}
            leftSection={
              opened ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />
            }
            aria-expanded={opened}
            onClick={toggle}
          >
            {error_class}
          </Button>
          {last_message !== null && (
            <Text size="xs" c="dimmed" ms={22} maw={420} component="bdi" lineClamp={2} title={last_message}>
              {last_message}
            </Text>
          )}
          {max_dead_letter_count > 1 && (
            <Text size="xs" c="var(--mantine-color-error)" ms={22}>
              {t('replays fail again, up to {max_dead_letter_count} times', { max_dead_letter_count })}
            </Text>
          )}
        </Table.Td>
        <Table.Td>{word(step)}</Table.Td>
        <Table.Td>{FAULT_LABELS[fault]}</Table.Td>
        <Table.Td ta="end" data-label={t('Dead letters')}>
          {dead_letters.toLocaleString(language)}
        </Table.Td>
        <Table.Td style={{ whiteSpace: 'nowrap' }}>
          <When at={last_failed_at} />
        </Table.Td>
        <Table.Td>
          {canEdit && state === 'waiting' && (
            <Group gap="xs" justify="flex-end">
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => onOpenDialog({ ...dialog, what: 'replay' })}
                aria-label={t('Replay… {about}', { about: dialog.about })}
              >
                {t('Replay…')}
              </Button>
              <Button
                size="compact-xs"
                variant="subtle"
                color="red"
                onClick={() => onOpenDialog({ ...dialog, what: 'discard' })}
                aria-label={t('Discard… {about}', { about: dialog.about })}
              >
                {t('Discard…')}
              </Button>
            </Group>
          )}
        </Table.Td>
      </Table.Tr>
      {opened && (
        <Table.Tr>
          <Table.Td colSpan={6} p={0} data-whole>
            <GroupDeadLetters of={group} state={state} onInspect={onInspect} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

interface GroupDeadLettersProps {
  readonly of: DeadLetterGroup
  readonly state: DeadLetterState
  readonly onInspect: (deadLetter: DeadLetter) => void
}

const MESSAGE = 160

/** The letters of one group, the newest first; each opens its inspection. */
const GroupDeadLetters = ({ of: group, state, onInspect }: GroupDeadLettersProps) => {
  const { items, first, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'inspect_pipeline',
    { ...selectionOfGroup(group), dead_letter_state: state },
    { keep: true },
  )
  if (first === undefined) {
    return (
      <Box p="sm">
        {error === null ? <LoadingState rows={3} height={24} /> : <ErrorState error={error} retry={refetch} />}
      </Box>
    )
  }
  return (
    <>
      <ul className={classes.deadLetters} aria-label={t('Dead letters')}>
        {items.map(deadLetter => (
          <li key={deadLetter.signal_id}>
            <button type="button" className={classes.deadLetter} onClick={() => onInspect(deadLetter)}>
              <span className={classes.id}>{deadLetter.signal_id}</span>
              <bdi className={classes.message}>
                {deadLetter.message === null
                  ? t('Sealed: it failed before personal data was removed.')
                  : clip(deadLetter.message, MESSAGE)}
              </bdi>
              <span className={classes.facts}>
                {counted(deadLetter.attempts, 'attempt')}
                {deadLetter.dead_letter_count > 1 &&
                  t(', dead-lettered {dead_letter_count} times', { dead_letter_count: deadLetter.dead_letter_count })}
                {deadLetter.next_redrive_at !== null &&
                  rich(', tried again {when}', { when: <When at={deadLetter.next_redrive_at} /> })}
              </span>
              <span className={classes.facts}>
                <When at={deadLetter.last_failed_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {items.length === 0 && (
        <Text size="sm" c="dimmed" p="sm">
          {t('None is left.')}
        </Text>
      )}
      {hasNextPage && (
        <Button variant="subtle" size="compact-sm" m="sm" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}
