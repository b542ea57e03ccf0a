import { Button, Group, Text } from '@mantine/core'
import { t } from '../../language/messages.ts'
import { LiveStatus } from '../../parts/live-status.tsx'

interface Props {
  /** Reference of the claim that would have lived on. */
  readonly reference: string
  readonly onGoOn: () => void
}

/** In place of a group that others have decided on while somebody looked at it: the next key is for no other one. */
export const DecidedGroup = ({ reference, onGoOn }: Props) => (
  <Group p="sm" justify="space-between">
    <LiveStatus>
      <Text size="sm">{t('Somebody has decided on the merges with {reference} meanwhile.', { reference })}</Text>
    </LiveStatus>
    <Button size="xs" variant="default" aria-description={reference} onClick={onGoOn}>
      {t('Go on')}
    </Button>
  </Group>
)
