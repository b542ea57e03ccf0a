import { Group, Text } from '@mantine/core'
import type { StepState } from './lane.ts'
import classes from './state-dot.module.css'

interface Props {
  readonly state: StepState
}

/** A state as a coloured dot and its word. */
export const StateDot = ({ state }: Props) => (
  <Group gap={6} wrap="nowrap">
    <span className={classes.dot} data-state={state} aria-hidden />
    <Text size="sm" component="span" c={state === 'idle' ? 'dimmed' : 'inherit'}>
      {state}
    </Text>
  </Group>
)
