import { Stack, Switch, Text } from '@mantine/core'
import { MIN_LESSONS } from '../../../../schemas/domain/limits.ts'
import { useChange, useOperation } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { percent } from '../../parts/formats.ts'
import { ProposalBar, useAboutJudge, WhoMerges } from '../../parts/merging.tsx'
import { Section } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyFailed } from '../../shell/notify.tsx'

interface RulesProps {
  readonly isOwner: boolean
}

/** What is settled here without a person, and what a person does. Everybody sees it; owners set it. */
export const Rules = ({ isOwner }: RulesProps) => {
  const { data, error, refetch } = useOperation('read_workspace_rules', {})
  const changing = useChange('set_workspace_rules', { invalidates: ['read_workspace_rules'] })
  const aboutJudge = useAboutJudge()
  return (
    <Section
      title={t('Rules')}
      about={
        isOwner
          ? t('What may be decided without a person, and what needs one.')
          : t('What may be decided without a person, and what needs one. Owners set the rules.')
      }
    >
      {data === undefined ? (
        error === null ? (
          <LoadingState rows={2} />
        ) : (
          <ErrorState error={error} retry={refetch} />
        )
      ) : (
        <Stack gap="md">
          <Switch
            label={t('Done, Dropped and Outcomes need a Decision that a person made here')}
            description={t(
              'While it is off, an agent may also make the Decision in its own call, under the name of its key.',
            )}
            checked={
              changing.isPending
                ? (changing.variables.requires_app_decisions ?? data.requires_app_decisions)
                : data.requires_app_decisions
            }
            disabled={changing.isPending || !isOwner}
            onChange={event =>
              changing.mutate(
                {
                  requires_app_decisions: event.currentTarget.checked,
                  expected: { requires_app_decisions: data.requires_app_decisions },
                },
                { onError: notifyFailed },
              )
            }
          />
          <Switch
            label={t('Ask why when a Solution is dragged')}
            description={t(
              'On the Board. Each move is logged as a Decision and can be undone, with a reason or without.',
            )}
            checked={changing.isPending ? (changing.variables.asks_reasons ?? data.asks_reasons) : data.asks_reasons}
            disabled={changing.isPending || !isOwner}
            onChange={event =>
              changing.mutate(
                { asks_reasons: event.currentTarget.checked, expected: { asks_reasons: data.asks_reasons } },
                { onError: notifyFailed },
              )
            }
          />
          <WhoMerges label={t('When a judge finds that two claims are the same')} />
          <Text size="sm" c="dimmed">
            {aboutJudge}
          </Text>
          <ProposalBar bar={data.proposal_bar} />
        </Stack>
      )}
    </Section>
  )
}

interface Taught {
  readonly lessons: number
  readonly corrections: number
  readonly learned_from: number
  readonly tested: number
  readonly answered_right: number
  readonly weight: number
}

const knownOf = ({ lessons, corrections }: Taught): string =>
  t('{corrections} and {acceptances}', {
    corrections: counted(corrections, 'correction'),
    acceptances: counted(lessons - corrections, 'acceptance'),
  })

/** How far it is, for people. */
const saysOf = (taught: Taught): string => {
  const { lessons, learned_from, tested, answered_right, weight } = taught
  const known = knownOf(taught)
  if (learned_from === 0)
    return lessons < MIN_LESSONS
      ? t('So far people made {known} in Triage. Learning starts at {least_lessons} in all.', {
          known,
          least_lessons: MIN_LESSONS,
        })
      : t('There are {known}. It learns from them within a minute or two.', { known })
  const right =
    tested === 0
      ? t('Learned from {known}.', { known })
      : t('Learned from {known}, right in {number} of the last {tested}.', {
          known,
          number: percent(answered_right / tested),
          tested,
        })
  return weight === 0
    ? t('{right} The built-in classifier is still better, so only that is used.', { right })
    : t('{right} What was learned counts {weight}, the built-in classifier the rest.', {
        right,
        weight: percent(weight),
      })
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
            description={
              isOwner ? t('While it is off, only the built-in classifier is used.') : t('An owner can change it.')
            }
            checked={changing.isPending ? changing.variables.learns === true : data.learns}
            disabled={changing.isPending || !isOwner}
            onChange={event =>
              changing.mutate(
                { learns: event.currentTarget.checked, expected: { learns: data.learns } },
                { onError: notifyFailed },
              )
            }
          />
          <Text size="sm" c="dimmed">
            {data.learns
              ? saysOf(data.taught)
              : t('There are {known}, and none is used.', { known: knownOf(data.taught) })}
          </Text>
        </Stack>
      )}
    </Section>
  )
}
