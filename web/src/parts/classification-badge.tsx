import { Badge } from '@mantine/core'
import { IconBug, IconBulb, IconHelp, IconLineDashed } from '@tabler/icons-react'
import type { Classification } from '../../../schemas/domain/vocabulary.ts'
import { word } from '../language/messages.ts'

const LOOKS = {
  problem: { color: 'red', icon: IconBug },
  idea: { color: 'teal', icon: IconBulb },
  question: { color: 'accent', icon: IconHelp },
  unclassified: { color: 'gray', icon: IconLineDashed },
} as const satisfies Readonly<Record<Classification, object>>

interface Props {
  readonly classification: Classification
}

/** What kind of thing a signal says. The icon tells them apart without the colour. */
export const ClassificationBadge = ({ classification }: Props) => {
  const { color, icon: Icon } = LOOKS[classification]
  return (
    <Badge
      variant="light"
      color={color}
      tt="none"
      fw={550}
      size="md"
      miw="max-content"
      leftSection={<Icon size={13} aria-hidden />}
    >
      {word(classification)}
    </Badge>
  )
}
