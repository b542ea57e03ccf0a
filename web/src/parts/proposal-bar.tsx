import { Text } from '@mantine/core'
import type { Output } from '../api/client.ts'
import { counted, percent } from './counted.ts'

interface Props {
  readonly bar: Output<'list_merge_groups'>['bar']
}

/** From which chance on pairs are proposed here, and why. */
export const ProposalBar = ({ bar }: Props) => (
  <Text size="sm" c="dimmed">
    Pairs are proposed from a chance of {percent(bar.chance)} on
    {bar.learned_from > 0 && `, corrected by ${counted(bar.learned_from, 'decision')} here`}.
    {bar.raised &&
      ` ${counted(bar.set_aside, 'less likely pair')} set aside: deciding brings none of them here; new Signals do, and asking for them.`}
  </Text>
)
