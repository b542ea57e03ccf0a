import { Text } from '@mantine/core'
import type { Output } from '../api/client.ts'
import { plural, t } from '../language/messages.ts'
import { counted } from './counted.ts'
import { percent } from './numbers.ts'

interface Props {
  readonly bar: Output<'list_merge_groups'>['bar']
}

/** From which chance on pairs are proposed here, and why. */
export const ProposalBar = ({ bar }: Props) => (
  <Text size="sm" c="dimmed">
    {bar.learned_from > 0
      ? t('Pairs are proposed from a chance of {chance} on, corrected by {decisions} here.', {
          chance: percent(bar.chance),
          decisions: counted(bar.learned_from, 'decision'),
        })
      : t('Pairs are proposed from a chance of {chance} on.', { chance: percent(bar.chance) })}
    {bar.raised && (
      <>
        {' '}
        {plural(
          bar.set_aside,
          '{number} less likely pair set aside: deciding brings none of them here; new Signals do, and asking for them.',
          '{number} less likely pairs set aside: deciding brings none of them here; new Signals do, and asking for them.',
        )}
      </>
    )}
  </Text>
)
