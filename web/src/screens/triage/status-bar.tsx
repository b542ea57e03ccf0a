import { Button, Group, Kbd, Text } from '@mantine/core'
import { IconInbox, IconSearchOff } from '@tabler/icons-react'
import { counted, plural, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { EmptyState } from '../../parts/states.tsx'
import classes from './triage.module.css'

interface Props {
  readonly status: string
  readonly live: boolean
  readonly canUndo: boolean
  readonly chosen: number
  readonly onUndo: () => void
}

/** The last thing that was done and how to take it back, and whether the list keeps up by itself. */
export const StatusBar = ({ status, live, canUndo, chosen, onUndo }: Props) => (
  <div className={classes.foot} data-chrome>
    <Text size="xs" role="status" truncate flex="0 1 auto">
      {status}
    </Text>
    {canUndo && (
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={onUndo}
        rightSection={
          <Kbd size="xs" aria-hidden>
            z
          </Kbd>
        }
      >
        {t('Undo')}
      </Button>
    )}
    <Text size="xs" c="dimmed" ms="auto" style={{ whiteSpace: 'nowrap' }}>
      {chosen > 0 ? (
        t('{chosen} chosen', { chosen })
      ) : (
        <span data-keyboard>{rich('{kbd} keys', { kbd: <Kbd size="xs">?</Kbd> })}</span>
      )}
    </Text>
    <span className={classes.live} data-live={live || undefined} aria-hidden />
    <Text
      size="xs"
      c="dimmed"
      title={live ? t('Changes show by themselves') : t('Waiting for the service to say what changes')}
    >
      {live ? t('Live') : t('Connecting')}
    </Text>
  </div>
)

export const Count = ({
  first,
}: {
  readonly first: { readonly count: number; readonly count_is_partial: boolean } | undefined
}) =>
  first === undefined ? null : (
    <Text size="xs" c="dimmed" data-count>
      {first.count_is_partial
        ? plural(first.count, '{number}+ signal', '{number}+ signals')
        : counted(first.count, 'signal')}
    </Text>
  )

const EMPTY: Readonly<Record<string, readonly [title: string, about: string]>> = {
  triage: [t('Nothing waits in Triage'), t('What comes in next is listed here by itself.')],
  snoozed: [t('Nothing is snoozed'), t('What you put off waits here until its time comes.')],
  accepted: [t('Nothing is accepted yet'), t('What you accept is listed here.')],
  dismissed: [t('Nothing is dismissed'), t('What you dismiss is listed here, with why in its Decision.')],
}

export const Empty = ({ tab, isFiltered }: { readonly tab: string; readonly isFiltered: boolean }) => {
  const [title, about] = EMPTY[tab] ?? [t('Nothing is here'), '']
  return (
    <Group className={classes.state} justify="center">
      {isFiltered ? (
        <EmptyState icon={IconSearchOff} title={t('No signal is like that')}>
          {t('Take a filter away to see more.')}
        </EmptyState>
      ) : (
        <EmptyState icon={IconInbox} title={title}>
          {about}
        </EmptyState>
      )}
    </Group>
  )
}
