import { Stack, Table, Text, Title } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
import { When } from '../../parts/when.tsx'
import { wordsOf } from './kinds.ts'

type Request = NonNullable<Output<'source_health'>['recent']>[number]

interface Props {
  readonly requests: readonly Request[]
}

/** The last requests, the newest first. */
export const RecentRequests = ({ requests }: Props) => {
  if (requests.length === 0) return null
  return (
    <div>
      <Title order={4} size="h3" mb="xs">
        {t('Last requests')}
      </Title>
      <Table verticalSpacing="xs">
        <Table.Tbody>
          {requests.map(request => (
            <Table.Tr key={`${request.at} ${request.signal_id} ${request.reason}`}>
              <Table.Td w={120}>
                <When at={request.at} />
              </Table.Td>
              <Table.Td c={request.accepted ? '' : 'var(--mantine-color-error)'}>{outcomeOf(request)}</Table.Td>
              <Table.Td ta="end">
                {request.count > 1 && (
                  <Text size="sm" c="dimmed">
                    {t('{count} times', { count: request.count.toLocaleString(language) })}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

const outcomeOf = ({ accepted, reason, event }: Request): string => {
  if (!accepted) return wordsOf(reason ?? 'refused')
  return event === null ? t('accepted') : t('accepted: {event}', { event })
}

type Health = Output<'source_health'>

interface RefusalReasonsProps {
  readonly items: NonNullable<Health['items']>
  readonly reasons: Health['reasons']
}

/** Why requests were refused, the most frequent reason first, and what to do about each. */
export const RefusalReasons = ({ items, reasons }: RefusalReasonsProps) => {
  const counted = reasons
    .map(reason => ({ ...reason, count: countOf(items, reason.reason) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
  if (counted.length === 0) return null
  return (
    <Stack gap="sm">
      <Title order={4} size="h3">
        {t('Why requests were refused')}
      </Title>
      {counted.map(({ reason, count, meaning, remedy }) => (
        <div key={reason}>
          <Text size="sm" fw={550}>
            {count.toLocaleString(language)} × {wordsOf(reason)}
          </Text>
          <Text size="sm" c="dimmed">
            {meaning} {remedy}
          </Text>
        </div>
      ))}
    </Stack>
  )
}

const countOf = (items: RefusalReasonsProps['items'], reason: string): number =>
  items.flatMap(({ refusals }) => refusals).reduce((sum, each) => sum + (each.reason === reason ? each.count : 0), 0)
