import { Anchor, Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call, type Output } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { sendTest } from '../../api/send-test.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Step } from './step.tsx'

interface Props {
  /** As it was just created; null when it was created before, whose secret is not shown again. */
  readonly source: Output<'create_source'> | null
  readonly connected: boolean
  readonly done: boolean
}

export const SendSignal = ({ source, connected, done }: Props) => (
  <Step number={2} title="Send it a signal" done={done} current={connected && !done}>
    {source === null ? <SentElsewhere connected={connected} /> : <SendNow source={source} />}
  </Step>
)

const SentElsewhere = ({ connected }: { readonly connected: boolean }) => {
  if (!connected) return 'With curl, from your own programs, or from here as a test.'
  return (
    <>
      The secret was shown when the source was created.{' '}
      <Anchor component={Link} to="/app/settings/sources" size="sm" underline="always">
        Settings → Sources
      </Anchor>{' '}
      sends a test, or gives the source a new secret.
    </>
  )
}

const SendNow = ({ source }: { readonly source: Output<'create_source'> }) => {
  const testing = useMutation({
    mutationFn: async () => {
      const { data } = await call('sign_test_request', { id: source.id })
      const { status, body } = await sendTest(data)
      if (status >= 300)
        throw new Problem({ code: `http_${status}`, detail: `The endpoint answered ${status}: ${body}` })
    },
  })
  return (
    <Stack gap="md">
      <div>
        Paste this into a terminal. The secret in it is shown this once; Settings → Sources makes a new one when it is
        lost.
      </div>
      {source.examples?.curl !== undefined && <Copyable label="curl" text={source.examples.curl} />}
      {source.secret !== null && <Copyable label="Secret" text={source.secret} />}
      <Group gap="sm">
        No terminal at hand?
        <Button variant="default" size="xs" onClick={() => testing.mutate()} loading={testing.isPending}>
          Send a test from here
        </Button>
      </Group>
      {testing.error !== null && <ErrorState error={testing.error} title="The test was refused" />}
    </Stack>
  )
}
