import { Badge, Box, Button, Group, Text } from '@mantine/core'
import { type Output, useCanEdit, useChange, useOperation } from '../api/operations.ts'
import { t } from '../language/messages.ts'
import { When } from './inline.tsx'
import { Quote } from './quote.tsx'
import { ErrorState } from './states.tsx'

interface TestAnswer {
  readonly status: number
  readonly body: string
}

/**
 * Sends what `sign_test_request` signed from this page, as any sender would: through whatever stands in front of the
 * service. Its path on this page’s own origin, since no other would let the page see the answer.
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
  /** Of this source alone. */
  readonly source?: string
  /** Whether one may be on its way, so that it is looked for. */
  readonly isAwaited?: boolean
}

/** The newest test that came through: marked as one, and gone with one click. Nothing where there is none. */
export const TestSignals = ({ source, isAwaited = true }: Props) => {
  const { data } = useOperation('list_test_signals', {}, isAwaited ? { refresh_ms: REFRESH_MS } : {})
  const removing = useChange('remove_test_signals', { invalidates: ['list_test_signals'] })
  const canEdit = useCanEdit()
  const test = data?.items.find(({ source_id }) => source === undefined || source_id === source)
  if (test === undefined) return null
  return (
    <Box role="status" mt="sm">
      <Group gap="sm">
        <Badge color="gray" variant="outline" tt="none">
          {t('Test')}
        </Badge>
        <Text size="sm">{t('It came the whole way.')}</Text>
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
