import { Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface Props {
  readonly number: number
  readonly title: string
  readonly done: boolean
  /** Whether it is this one’s turn; what comes later is quieter. */
  readonly current: boolean
  readonly children: ReactNode
}

/** One step of the welcome. */
export const Step = ({ number, title, done, current, children }: Props) => (
  <Paper component="li" withBorder p="md" radius="lg" bg={current ? 'var(--app-ground)' : 'var(--app-raised)'}>
    <Group align="flex-start" wrap="nowrap" gap="md">
      <ThemeIcon
        size={26}
        radius="xl"
        variant={done || current ? 'filled' : 'default'}
        color={done ? 'teal.8' : 'accent'}
        fz="sm"
        aria-hidden
      >
        {done ? <IconCheck size={16} /> : number}
      </ThemeIcon>
      <Stack gap="sm" flex={1} miw={0}>
        <Title order={2} size="h3" c={done || current ? '' : 'dimmed'}>
          {title}
        </Title>
        <Text component="div" size="sm" c="dimmed">
          {children}
        </Text>
      </Stack>
    </Group>
  </Paper>
)
