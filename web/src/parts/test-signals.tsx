import { Badge, Box, Button, Group, Text } from '@mantine/core'
import { type Output, useCanEdit, useChange, useOperation } from '../api/operations.ts'
import { t } from '../language/messages.ts'
import { When } from './inline.tsx'
import { LiveStatus } from './live-status.tsx'
import { Quote } from './quote.tsx'
import { ErrorState } from './states.tsx'

interface TestAnswer {
  readonly status: number
  readonly body: string
}

/**
 * Sends the request that `sign_test_request` has signed from this page, like any sender: through every proxy in front
 * of the service. The path is on this page's own origin, because the page could not read another origin's answer.
 */
export const sendTest = async ({
  url,
  headers,
  body,
}: Pick<Output<'sign_test_request'>, 'url' | 'headers' | 'body'>): Promise<TestAnswer> => {
  const response = await fetch(new URL(url).pathname, {
    method: 'POST',
    headers,
    body,
    credentials: 'omit',
    redirect: 'error',
  })
  return { status: response.status, body: await response.text() }
}

const REFRESH_MS = 2000

interface Props {
  /** Only tests of this source. */
  readonly source?: string
  /** True when a test may be on its way, so that the list is read repeatedly. */
  readonly isAwaited?: boolean
}

/** The newest test signal, marked as a test and deletable with one click. Nothing without one. */
export const TestSignals = ({ source, isAwaited = true }: Props) => {
  const { data } = useOperation('list_test_signals', {}, isAwaited ? { refresh_ms: REFRESH_MS } : {})
  const removing = useChange('remove_test_signals', { invalidates: ['list_test_signals'] })
  const canEdit = useCanEdit()
  const test = data?.items.find(({ source_id }) => source === undefined || source_id === source)
  if (test === undefined) return null
  return (
    <Box mt="sm">
      <Group gap="sm">
        <Badge color="gray" variant="outline" tt="none">
          {t('Test')}
        </Badge>
        <LiveStatus>
          <Text size="sm">{t('The test passed every step.')}</Text>
        </LiveStatus>
        <Text size="xs" c="dimmed">
          <When at={test.received_at} />
        </Text>
        {canEdit && (
          <Button size="compact-xs" variant="default" loading={removing.isPending} onClick={() => removing.mutate({})}>
            {t('Remove the test')}
          </Button>
        )}
      </Group>
      <Text component="div" size="sm" c="dimmed" mt="xs">
        <Quote text={test.text} />
        {t('A test counts nowhere: it is no signal and no evidence.')}
      </Text>
      {removing.error !== null && <ErrorState error={removing.error} title={t('It was not removed')} />}
    </Box>
  )
}
