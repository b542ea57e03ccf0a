import { ActionIcon, Anchor, Button, CloseButton, Group, Kbd, Text } from '@mantine/core'
import { IconCheck, IconCircleDashed, IconInbox, IconPlus, IconSearchOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { FirstStep } from '../../../../schemas/domain/vocabulary.ts'
import { useLiveChange } from '../../api/live-connection.ts'
import { useCanEdit, useChange, useOperation, useRole } from '../../api/operations.ts'
import { counted, language, plural, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { EmptyState } from '../../parts/states.tsx'
import { begin } from '../../shell/begun.ts'
import { notifyFailed } from '../../shell/notify.tsx'
import classes from './triage.module.css'
import { type Filters, TABS, type View } from './view.ts'

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
      <ol className={classes.stepList}>
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
        {t('Undo')}
      </Button>
    )}
    <Text size="xs" c="dimmed" ms="auto" role="status" style={{ whiteSpace: 'nowrap' }}>
      {chosen > 0 ? (
        t('{chosen} chosen', { chosen })
      ) : (
        <span data-keyboard>{rich('{kbd} keys', { kbd: <Kbd size="xs">?</Kbd> })}</span>
      )}
    </Text>
    <Text
      size="xs"
      c="dimmed"
      className={classes.connection ?? ''}
      title={live ? t('Changes appear automatically') : t('Waiting for the service to say what changes')}
    >
      <span data-shown={live}>
        <span className={classes.light} data-live={live || undefined} aria-hidden /> {t('Live')}
      </span>
      <span data-shown={!live}>
        <span className={classes.light} aria-hidden /> {t('Connecting')}
      </span>
    </Text>
  </div>
)

export const Count = ({
  first,
}: {
  readonly first: { readonly count: number; readonly count_is_partial: boolean } | undefined
}) =>
  first === undefined ? null : (
    <Text size="xs" c="dimmed" role="status" data-count>
      {first.count_is_partial
        ? plural(first.count, '{number}+ signal', '{number}+ signals')
        : counted(first.count, 'signal')}
    </Text>
  )

/** Above signals that are offered in place of those that were searched for. */
export const SomeWords = ({ first }: { readonly first: { readonly count: number } }) => (
  <Text size="sm" fw={600} px="md" py="xs" role="status">
    {t('Nothing has all of these words.')}{' '}
    {plural(first.count, '{number} has some of them.', '{number} have some of them.')}
  </Text>
)

/** How much of what waits asks for nothing; other tabs know of their own alone. */
export const NoiseCount = ({
  tab,
  first,
}: {
  readonly tab: string
  readonly first: { readonly noise: number } | undefined
}) =>
  first === undefined || !['triage', 'noise'].includes(tab) ? null : (
    <Text span size="xs" lh={1} c="dimmed" ms={6} data-noise>
      {/* Without a space the name of the tab would run into the number. */} {first.noise.toLocaleString(language)}
    </Text>
  )

/** For what somebody said in a call or a letter; W does it too. */
export const WriteSignalButton = ({ hasRoom }: { readonly hasRoom: boolean }) => {
  const write = () => begin({ what: 'signal' })
  return hasRoom ? (
    <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={write}>
      {t('Write a signal')}
    </Button>
  ) : (
    <ActionIcon variant="default" size="lg" aria-label={t('Write a signal')} onClick={write}>
      <IconPlus size={18} aria-hidden />
    </ActionIcon>
  )
}

const EMPTY: Readonly<Record<string, readonly [title: string, about: string]>> = {
  triage: [t('Nothing waits in Triage'), t('New signals appear here automatically.')],
  noise: [t('No noise'), t('Greetings, thanks and absence notes are listed here. They start no claim.')],
  snoozed: [t('Nothing is snoozed'), t('What you snooze waits here until its time comes.')],
  accepted: [t('Nothing is accepted yet'), t('What you accept is listed here.')],
  dismissed: [t('Nothing is dismissed'), t('What you dismiss is listed here, with why in its Decision.')],
}

interface EmptyProps {
  readonly tab: string
  /** Null: all of the tab is listed. */
  readonly filters: Filters | null
  readonly onTab: (view: Partial<View>) => void
}

export const Empty = ({ tab, filters, onTab }: EmptyProps) => {
  const [title, about] = EMPTY[tab] ?? [t('Nothing is here'), '']
  return (
    <Group className={classes.state} justify="center">
      {filters !== null ? (
        <EmptyState icon={IconSearchOff} title={t('No signal matches')}>
          <Elsewhere filters={filters} tab={tab} onTab={onTab} />
        </EmptyState>
      ) : (
        <EmptyState icon={IconInbox} title={title}>
          {about}
        </EmptyState>
      )}
    </Group>
  )
}

/** Where else signals are as the filters say: whoever looks for one may not know what was decided on it. */
const Elsewhere = ({ filters, tab, onTab }: EmptyProps & { readonly filters: Filters }) => {
  const { state: _, ...others } = filters
  const { data } = useOperation('list_signals', { ...others, snoozed: 'shown', limit: 1 })
  const [found] = data?.items ?? []
  const value = found?.snooze?.is_active ? 'snoozed' : found?.state
  const there = TABS.find(each => each.value === value)
  if (data === undefined || there === undefined || there.value === tab) return t('Remove a filter to see more.')
  return (
    <>
      {plural(data.count, '{number} signal in another tab matches.', '{number} signals in other tabs match.')}
      <Button size="xs" variant="default" mt="sm" mx="auto" display="block" onClick={() => onTab(there.view)}>
        {t('Show “{tab}”', { tab: there.label })}
      </Button>
    </>
  )
}
