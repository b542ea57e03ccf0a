import { Stack, Text, Title } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
import { wordsOf } from './kinds.ts'

type Health = Output<'source_health'>

interface Props {
  readonly items: NonNullable<Health['items']>
  readonly reasons: Health['reasons']
}

/** Why requests were refused, the most frequent reason first, and what to do about each. */
export const RefusalReasons = ({ items, reasons }: Props) => {
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

const countOf = (items: Props['items'], reason: string): number =>
  items.flatMap(({ refusals }) => refusals).reduce((sum, each) => sum + (each.reason === reason ? each.count : 0), 0)
