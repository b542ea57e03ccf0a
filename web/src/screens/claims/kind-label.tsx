import { Group, Text } from '@mantine/core'
import { IconBug, IconBulb } from '@tabler/icons-react'
import type { ClaimKind } from '../../../../schemas/domain/vocabulary.ts'
import { t } from '../../language/messages.ts'

const LOOKS = {
  problem: { icon: IconBug, doneMessage: t('Problem') },
  opportunity: { icon: IconBulb, doneMessage: t('Opportunity') },
}

interface Props {
  readonly kind: ClaimKind
}

export const KindLabel = ({ kind }: Props) => {
  const { icon: Icon, doneMessage } = LOOKS[kind]
  return (
    <Group gap="xs" wrap="nowrap" c="dimmed">
      <Icon size={15} stroke={1.6} aria-hidden />
      <Text size="sm">{doneMessage}</Text>
    </Group>
  )
}
