import { Table, Text, Title } from '@mantine/core'
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
