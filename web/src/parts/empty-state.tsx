import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { IconProps } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'

interface Props {
  readonly icon: ComponentType<IconProps>
  readonly title: string
  /** `h1` where it is all that a screen shows. */
  readonly heading?: 'h1' | 'h2'
  /** What to do about it: a sentence, and the button that does it. */
  readonly children?: ReactNode
}

/** What stands where a list would be: why there is nothing, and what to do next. */
export const EmptyState = ({ icon: Icon, title, heading = 'h2', children }: Props) => (
  <Stack align="center" gap="sm" py="xl" px="md" ta="center" maw={460} mx="auto">
    <ThemeIcon variant="light" color="gray" size={44} radius="xl">
      <Icon size={22} stroke={1.5} aria-hidden />
    </ThemeIcon>
    <Title order={heading === 'h1' ? 1 : 2} size="h3">
      {title}
    </Title>
    <Text component="div" size="sm" c="dimmed">
      {children}
    </Text>
  </Stack>
)
