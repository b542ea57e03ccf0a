import { List, Stack, Text } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { t } from '../../language/messages.ts'
import { counted } from '../../parts/counted.ts'
import { placeName } from './places.ts'

interface Props {
  readonly mentions: Output<'preview_erasure'>['mentions']
}

/** Where others wrote the name or the address, with what is around it. */
export const Mentions = ({ mentions }: Props) => (
  <Stack gap="xs">
    <Text size="sm" fw={550}>
      {t('Named elsewhere')}
    </Text>
    <List size="sm" spacing="xs">
      {mentions.map(({ place, rows, samples }) => (
        <List.Item key={place}>
          {placeName(place)}: {counted(rows, 'place')}
          {samples[0] !== undefined && (
            <Text size="xs" c="dimmed" component="div" lineClamp={2}>
              <bdi>… {samples[0]} …</bdi>
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  </Stack>
)
