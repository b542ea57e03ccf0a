import { Box, Select, Text, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { WHO_MERGES } from '../../../schemas/domain/vocabulary.ts'
import { type Output, useChange, useOperation, useRole } from '../api/operations.ts'
import { counted, plural, t } from '../language/messages.ts'
import { notifyDone, notifyFailed } from '../shell/notify.tsx'
import { likelihood } from './formats.ts'

interface Props {
  readonly bar: Output<'list_merge_groups'>['bar']
}

/** Least chance at which pairs are proposed here, and its reason. */
export const ProposalBar = ({ bar }: Props) => (
  <Text size="sm" c="dimmed">
    {bar.learned_from > 0
      ? t(
          'Pairs are proposed when the chance is {chance} or more. It was corrected by {decisions} in this workspace.',
          {
            chance: likelihood(bar.chance),
            decisions: counted(bar.learned_from, 'decision'),
          },
        )
      : t('Pairs are proposed when the chance is {chance} or more.', { chance: likelihood(bar.chance) })}
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

const ABOUT_JUDGE = t(
  'The judge is a language model that says if two claims have the same root problem. An operator names one in the setting JUDGE_URL; without it, people decide.',
)
const ABOUT_NO_JUDGE = t(
  'No judge is configured, so people decide. A judge is a language model that says if two claims have the same root problem; an operator names one in the setting JUDGE_URL.',
)

/** Whether this installation has a judge; undefined until it is known. */
export const useHasJudge = (): boolean | undefined => {
  const { data } = useOperation('inspect_dependencies', {})
  const judge = data?.items.find(({ name }) => name === 'judge')
  return judge && judge.state !== 'not_configured'
}

/** What a judge is, whether there is one here, and how an installation gets one. */
export const useAboutJudge = (): string => (useHasJudge() === false ? ABOUT_NO_JUDGE : ABOUT_JUDGE)

/** The word "judge" in a sentence, with a tooltip, for the keyboard too. */
export const Judge = ({ children }: { readonly children: ReactNode }) => (
  <Tooltip label={useAboutJudge()} multiline w={300} events={{ hover: true, focus: true, touch: true }}>
    <Text span inherit tabIndex={0} td="underline dotted">
      {children}
    </Text>
  </Tooltip>
)

type SaidOfJudge = Readonly<Record<(typeof WHO_MERGES)[number], string>>
const SAYS: SaidOfJudge = { people: t('The judge only proposes'), judge: t('The judge merges by itself') }
const WOULD: SaidOfJudge = { people: t('A judge would only propose'), judge: t('A judge would merge by itself') }

interface WhoMergesProps {
  /** Shown above the choice; without a label the choice is small, for a bar. */
  readonly label?: string
}

/**
 * Choice between the judge and people for merges; owners change it, everybody sees it. Without a judge it is a rule for
 * a later one, and a bar shows no choice.
 */
export const WhoMerges = ({ label }: WhoMergesProps) => {
  const role = useRole()
  const hasJudge = useHasJudge()
  const { data } = useOperation('read_workspace_rules', {})
  const says = hasJudge === false ? WOULD : SAYS
  const changing = useChange('set_workspace_rules', {
    invalidates: ['read_workspace_rules'],
    onSuccess: ({ who_merges }) =>
      notifyDone(
        hasJudge === false
          ? t('{who_merges}, once there is one.', { who_merges: says[who_merges] })
          : t('{who_merges}, from the next signal on.', { who_merges: says[who_merges] }),
      ),
  })
  // Reserves its place in a page's header.
  if (data === undefined || hasJudge === undefined) return label === undefined ? <Box h={30} w={240} /> : null
  if (!hasJudge && label === undefined) {
    return (
      <Text size="sm" c="dimmed" lh="30px">
        {t('People decide here')}
      </Text>
    )
  }
  if (role !== 'owner') {
    return (
      <Text size="sm" c="dimmed">
        {t('{says}. An owner can change that.', { says: says[data.who_merges] })}
      </Text>
    )
  }
  const choose = (value: string | null) => {
    const who_merges = WHO_MERGES.find(each => each === value)
    if (who_merges !== undefined)
      changing.mutate({ who_merges, expected: { who_merges: data.who_merges } }, { onError: notifyFailed })
  }
  return (
    <Select
      {...(label === undefined ? { size: 'xs', w: 240, 'aria-label': t('Who merges') } : { label, maw: 360 })}
      data={WHO_MERGES.map(value => ({ value, label: says[value] }))}
      value={data.who_merges}
      allowDeselect={false}
      disabled={changing.isPending}
      onChange={choose}
    />
  )
}
