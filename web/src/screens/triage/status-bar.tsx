import { Button, Kbd, Text } from '@mantine/core'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
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
