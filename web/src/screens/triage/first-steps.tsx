import { Anchor, CloseButton, Group, Text } from '@mantine/core'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { FirstStep } from '../../../../schemas/domain/vocabulary.ts'
import { useCanEdit, useChange, useOperation, useRole } from '../../api/hooks.ts'
import { useLiveChange } from '../../api/live-connection.ts'
import { t } from '../../language/messages.ts'
import { notifyFailed } from '../../shell/notify.tsx'
import classes from './first-steps.module.css'

const STEPS: Readonly<Record<FirstStep, { readonly label: string; readonly to: string }>> = {
  connect_source: { label: t('Connect a source that you have'), to: '/app/settings/sources' },
  decide_signal: { label: t('Decide the first signal'), to: '/app/triage' },
  make_solution: { label: t('Make a Solution of a claim'), to: '/app/claims' },
  connect_agent: { label: t('Connect an agent'), to: '/app/settings/connect-agents' },
  invite_member: { label: t('Invite somebody'), to: '/app/settings/members' },
}
const TOPICS = ['signals', 'claims', 'decisions'] as const

/** Whether it is known if the first steps are shown: what stands below them is shown then, and does not move. */
export const useAreStepsKnown = (): boolean => {
  const { isPending } = useOperation('read_first_steps', {})
  return useRole() !== undefined && !isPending
}

/** What is still worth doing in a new workspace: until all of it is done, by whomever, or the person puts it away. */
export const FirstSteps = () => {
  const canEdit = useCanEdit()
  const { data, refetch } = useOperation('read_first_steps', {})
  useLiveChange(TOPICS, () => void refetch())
  const dismissing = useChange('dismiss_first_steps', { invalidates: ['read_first_steps'] })
  if (!canEdit || data?.is_shown !== true || dismissing.isSuccess) return null
  const next = data.steps.find(({ is_done }) => !is_done)
  return (
    <Group component="section" aria-label={t('First steps')} gap="sm" wrap="nowrap" className={classes.steps}>
      <ol className={classes.list}>
        {data.steps.map(({ step, is_done }) => (
          <li
            key={step}
            className={classes.step}
            data-done={is_done || undefined}
            data-next={step === next?.step || undefined}
          >
            {is_done ? <IconCheck size={15} aria-label={t('Done')} /> : <IconCircleDashed size={15} aria-hidden />}
            {is_done ? (
              <Text span size="sm" c="dimmed">
                {STEPS[step].label}
              </Text>
            ) : (
              <Anchor component={Link} to={STEPS[step].to} size="sm">
                {STEPS[step].label}
              </Anchor>
            )}
          </li>
        ))}
      </ol>
      <CloseButton
        size="sm"
        aria-label={t('Put the first steps away')}
        onClick={() => dismissing.mutate({ dismissed: true }, { onError: notifyFailed })}
      />
    </Group>
  )
}
