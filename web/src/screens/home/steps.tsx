import { Anchor, Button, Group, Loader, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Problem } from '../../api/http.ts'
import { call, type Output, useWrite } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ClassificationBadge } from '../../parts/badges.tsx'
import { Copyable } from '../../parts/copyable.tsx'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { Reference, When } from '../../parts/inline.tsx'
import { Quote } from '../../parts/quote.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { sendTest, TestSignals } from '../../parts/test-signals.tsx'
import { begin } from '../../shell/begun.ts'

interface ConnectSourceProps {
  readonly done: boolean
  readonly pending: boolean
  readonly error: Error | null
  readonly create: () => void
}

export const ConnectSource = ({ done, pending, error, create }: ConnectSourceProps) => (
  <Step number={1} title={t('Create a signal source')} done={done} current={!done}>
    {done ? (
      t('This workspace has an address that signals are sent to.')
    ) : (
      <>
        {t('An address to post signals to, and a secret that proves who sends them.')}
        <div>
          <Button mt="sm" onClick={create} loading={pending}>
            {t('Create a signal source')}
          </Button>
        </div>
        {error !== null && <ErrorState error={error} title={t('The source was not created')} />}
      </>
    )}
  </Step>
)

interface FirstSignalProps {
  readonly signal: Output<'orient_snapshot'>['recent_signals'][number] | undefined
  /** Whether a source is there that one may come from. */
  readonly waiting: boolean
}

export const FirstSignal = ({ signal, waiting }: FirstSignalProps) => (
  <Step number={3} title={t('See it arrive')} done={signal !== undefined} current={signal !== undefined}>
    <div role="status">{signal === undefined ? <Waiting waiting={waiting} /> : <Arrived signal={signal} />}</div>
    {waiting && <TestSignals isAwaited={signal === undefined} />}
  </Step>
)

const Waiting = ({ waiting }: Pick<FirstSignalProps, 'waiting'>) =>
  waiting ? (
    <Group gap="sm">
      <Loader size={14} aria-hidden /> {t('Waiting for it. This page shows it within seconds.')}
    </Group>
  ) : (
    t('Personal data is removed from it, then it is classified and compared with the others, step by step.')
  )

const Arrived = ({ signal }: { readonly signal: NonNullable<FirstSignalProps['signal']> }) => {
  return (
    <Stack gap="sm" align="flex-start">
      <Group gap="sm">
        <Reference of={signal.reference} />
        <ClassificationBadge classification={signal.classification} />
        <When at={signal.occurred_at} received={signal.received_at} />
      </Group>
      <Text component="div" c="var(--mantine-color-text)" size="md">
        <Quote text={signal.text} />
      </Text>
      <Button component={Link} to="/app/triage">
        {t('Go to Triage')}
      </Button>
    </Stack>
  )
}

interface SendSignalProps {
  /** As it was just created; null when it was created before, whose secret is not shown again. */
  readonly source: Output<'create_source'> | null
  readonly connected: boolean
  readonly done: boolean
}

export const SendSignal = ({ source, connected, done }: SendSignalProps) => (
  <Step number={2} title={t('Send it a signal')} done={done} current={connected && !done}>
    {source === null ? <SentElsewhere connected={connected} /> : <SendNow source={source} />}
    {!done && (
      <Group gap="sm" mt="sm">
        {t('Somebody told you something?')}
        <Button variant="default" size="xs" onClick={() => begin({ what: 'signal' })}>
          {t('Write a signal')}
        </Button>
      </Group>
    )}
  </Step>
)

const SentElsewhere = ({ connected }: { readonly connected: boolean }) => {
  if (!connected) return t('With curl, from your own programs, or from here as a test.')
  return (
    <>
      {rich(
        'The secret was shown when the source was created. <link>Settings → Sources</link> sends a test, or gives the source a new secret.',
        {
          link: inner => (
            <Anchor component={Link} to="/app/settings/sources" size="sm" underline="always">
              {inner}
            </Anchor>
          ),
        },
      )}
    </>
  )
}

const SendNow = ({ source }: { readonly source: Output<'create_source'> }) => {
  const testing = useWrite(async (id: string) => {
    const { data } = await call('sign_test_request', { id })
    const { status, body } = await sendTest(data)
    if (status >= 300)
      throw new Problem({
        code: `http_${status}`,
        detail: t('The endpoint answered {status}: {body}', { status, body }),
      })
  })
  return (
    <Stack gap="md">
      <div>
        {t(
          'Paste this into a terminal: it is signed with the secret below. The secret is shown only once; if you lose it, Settings → Sources makes a new one.',
        )}
      </div>
      {source.examples?.curl !== undefined && <Copyable label="curl" text={source.examples.curl} />}
      {source.secret !== null && <Copyable label={t('Secret')} text={source.secret} />}
      <Group gap="sm">
        {t('No terminal at hand?')}
        <Button variant="default" size="xs" onClick={() => testing.mutate(source.id)} loading={testing.isPending}>
          {t('Send a test from here')}
        </Button>
      </Group>
      <FormFailure form={null} error={testing.error} title={t('The test was refused')} />
    </Stack>
  )
}

interface StepProps {
  readonly number: number
  readonly title: string
  readonly done: boolean
  /** Whether it is this one’s turn; what comes later is quieter. */
  readonly current: boolean
  readonly children: ReactNode
}

/** One step of the welcome. */
const Step = ({ number, title, done, current, children }: StepProps) => (
  <Paper component="li" withBorder p="md" radius="lg" bg={current ? 'var(--app-ground)' : 'var(--app-raised)'}>
    <Group align="flex-start" wrap="nowrap" gap="md">
      <ThemeIcon
        size={26}
        radius="xl"
        variant={done || current ? 'filled' : 'default'}
        color={done ? 'teal.8' : 'accent'}
        fz="sm"
        aria-hidden
      >
        {done ? <IconCheck size={16} /> : number}
      </ThemeIcon>
      <Stack gap="sm" flex={1} miw={0}>
        <Title order={2} size="h3" c={done || current ? '' : 'dimmed'}>
          {title}
        </Title>
        <Text component="div" size="sm" c="dimmed">
          {children}
        </Text>
      </Stack>
    </Group>
  </Paper>
)
