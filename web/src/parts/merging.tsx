import { Box, Select, Text } from '@mantine/core'
import { WHO_MERGES } from '../../../schemas/domain/vocabulary.ts'
import { type Output, useChange, useOperation, useRole } from '../api/operations.ts'
import { counted, plural, t } from '../language/messages.ts'
import { notifyDone, notifyFailed } from '../shell/notify.tsx'
import { likelihood } from './formats.ts'

interface Props {
  readonly bar: Output<'list_merge_groups'>['bar']
}

/** From which chance on pairs are proposed here, and why. */
export const ProposalBar = ({ bar }: Props) => (
  <Text size="sm" c="dimmed">
    {bar.learned_from > 0
      ? t('Pairs are proposed from a chance of {chance} on, corrected by {decisions} here.', {
          chance: likelihood(bar.chance),
          decisions: counted(bar.learned_from, 'decision'),
        })
      : t('Pairs are proposed from a chance of {chance} on.', { chance: likelihood(bar.chance) })}
    {bar.raised && (
      <>
        {' '}
        {plural(
          bar.set_aside,
          '{number} less likely pair is set aside. It comes when you ask for it, and may come with new signals.',
          '{number} less likely pairs are set aside. They come when you ask for them, and some with new signals.',
        )}
      </>
    )}
  </Text>
)

const SAYS = { people: t('A judge’s yes waits for people'), judge: t('A judge’s yes merges at once') } as const
const CHOICES = WHO_MERGES.map(value => ({ value, label: SAYS[value] }))

interface WhoMergesProps {
  /** Shown above the choice; without it the choice is small, for a bar. */
  readonly label?: string
}

/** Whether the judge merges, or people do; an owner’s choice, which everybody sees. */
export const WhoMerges = ({ label }: WhoMergesProps) => {
  const role = useRole()
  const { data } = useOperation('read_workspace_rules', {})
  const changing = useChange('set_workspace_rules', {
    invalidates: ['read_workspace_rules'],
    onSuccess: ({ who_merges }) =>
      notifyDone(t('{who_merges}, from the next signal on.', { who_merges: SAYS[who_merges] })),
  })
  // In a page’s header, with its room.
  if (data === undefined) return label === undefined ? <Box h={30} w={240} /> : null
  if (role !== 'owner') {
    return (
      <Text size="sm" c="dimmed">
        {t('{says}. An owner can change that.', { says: SAYS[data.who_merges] })}
      </Text>
    )
  }
  const choose = (value: string | null) => {
    const who_merges = WHO_MERGES.find(each => each === value)
    if (who_merges !== undefined) changing.mutate({ who_merges }, { onError: notifyFailed })
  }
  return (
    <Select
      {...(label === undefined ? { size: 'xs', w: 240, 'aria-label': t('Who merges') } : { label, maw: 360 })}
      data={CHOICES}
      value={data.who_merges}
      allowDeselect={false}
      disabled={changing.isPending}
      onChange={choose}
    />
  )
}
