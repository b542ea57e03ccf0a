import { Button, Kbd, Text } from '@mantine/core'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import classes from './review-bar.module.css'
import type { Merges } from './use-merges.ts'

interface Props {
  readonly merges: Merges
  readonly canDecide: boolean
}

/** What was decided last, and the way back. It stays in sight, and is read out. */
export const ReviewBar = ({ merges, canDecide }: Props) => (
  <div
    className={classes.bar}
    data-chrome
    data-says={merges.status !== '' || merges.canUndo || undefined}
    hidden={!canDecide}
  >
    <Text size="sm" role="status" truncate flex="0 1 auto">
      {merges.status}
    </Text>
    {merges.canUndo && (
      <Button
        size="compact-sm"
        variant="light"
        onClick={merges.undo}
        rightSection={
          <Kbd size="xs" aria-hidden className={classes.key}>
            z
          </Kbd>
        }
      >
        {t('Undo')}
      </Button>
    )}
    <Text size="xs" c="dimmed" ms="auto" className={classes.key}>
      {rich('{kbd} keys', { kbd: <Kbd size="xs">?</Kbd> })}
    </Text>
  </div>
)
