import { Button, Kbd, Text } from '@mantine/core'
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
        Undo
      </Button>
    )}
    <Text size="xs" c="dimmed" ml="auto" style={{ whiteSpace: 'nowrap' }}>
      {chosen > 0 ? (
        `${chosen} chosen`
      ) : (
        <span data-keyboard>
          <Kbd size="xs">?</Kbd> keys
        </span>
      )}
    </Text>
    <span className={classes.live} data-live={live || undefined} aria-hidden />
    <Text
      size="xs"
      c="dimmed"
      title={live ? 'Changes show by themselves' : 'Waiting for the service to say what changes'}
    >
      {live ? 'Live' : 'Connecting'}
    </Text>
  </div>
)
