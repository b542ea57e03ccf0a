import { Stack, Switch, Text } from '@mantine/core'
import { useChange, useOperation } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { counted } from '../../parts/counted.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { percent } from '../../parts/numbers.ts'
import { notifyFailed } from '../../shell/notify.tsx'
import { Section } from './section.tsx'

/** Below that nothing is learned. */
const LEAST_LESSONS = 20

interface Taught {
  readonly lessons: number
  readonly corrections: number
  readonly learned_from: number
  readonly asked: number
  readonly answered_right: number
  readonly weight: number
}

/** How far it is, for people. */
const saysOf = ({ lessons, corrections, learned_from, asked, answered_right, weight }: Taught): string => {
  const accepted = lessons - corrections
  const known = t('{corrections} and {acceptances}', {
    corrections: counted(corrections, 'correction'),
    acceptances: counted(accepted, 'acceptance'),
  })
  if (learned_from === 0)
    return lessons < LEAST_LESSONS
      ? t('There are {known}. It learns from {least_lessons} on.', { known, least_lessons: LEAST_LESSONS })
      : t('There are {known}. It learns from them within a minute or two.', { known })
  const right = t('Learned from {known}, right in {number} of the last {asked}.', {
    known,
    number: percent(answered_right / Math.max(1, asked)),
    asked,
  })
  return weight === 0
    ? t('{right} The built-in classifier is better still, so it alone speaks.', { right })
    : t('{right} It has {weight} of the say beside the built-in classifier.', { right, weight: percent(weight) })
}

interface Props {
  readonly isOwner: boolean
}

/** What people’s corrections teach, and the switch for it. Everybody sees it; owners set it. */
export const Learning = ({ isOwner }: Props) => {
  const { data, error, refetch } = useOperation('read_workspace_rules', {})
  const changing = useChange('set_workspace_rules', { invalidates: ['read_workspace_rules'] })
  return (
    <Section
      title={t('Learning')}
      about={t(
        'Each signal that people reclassify, or accept as it was classified, teaches this workspace. Nothing of it leaves the workspace.',
      )}
    >
      {data === undefined ? (
        error === null ? (
          <LoadingState rows={1} />
        ) : (
          <ErrorState error={error} retry={refetch} />
        )
      ) : (
        <Stack gap="xs">
          <Switch
            label={t('Classify new signals by what people taught here')}
            description={isOwner ? t('Off: the built-in classifier speaks alone.') : t('An owner can change it.')}
            checked={changing.isPending ? changing.variables.learns === true : data.learns}
            disabled={changing.isPending || !isOwner}
            onChange={event => changing.mutate({ learns: event.currentTarget.checked }, { onError: notifyFailed })}
          />
          <Text size="sm" c="dimmed">
            {saysOf(data.taught)}
          </Text>
        </Stack>
      )}
    </Section>
  )
}
