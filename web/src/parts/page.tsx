import { Box, Button, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useRole } from '../api/operations.ts'
import { t } from '../language/messages.ts'

interface SectionProps {
  readonly title: string
  readonly about: ReactNode
  readonly children: ReactNode
}

/** One part of the settings, under a heading. */
export const Section = ({ title, about, children }: SectionProps) => {
  const id = useId()
  return (
    <Box component="section" aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="md" className="reading">
        {about}
      </Text>
      {children}
    </Box>
  )
}

const WIDTHS = { reading: '52rem', working: '80rem', full: 'none' } as const

interface Props {
  /** `reading` for forms and texts, `working` for lists and tables, `full` where every pixel helps. */
  readonly width?: keyof typeof WIDTHS
  readonly children: ReactNode
}

/** The room of a screen’s content. Every screen is in one. */
export const Page = ({ width = 'working', children }: Props) => (
  <Box p={{ base: 'md', sm: 'lg' }} pb="xl" maw={WIDTHS[width]} mx="auto">
    {children}
  </Box>
)

interface PageHeaderProps {
  readonly title: string
  /** What the browser’s tab says, where that is more than the heading. */
  readonly tab?: string
  /** One sentence on what the screen is for. */
  readonly about?: ReactNode
  /** The field that the heading is written anew in, while it is. */
  readonly edited?: ReactNode
  /** Whether it is not known yet what the actions are. Unless given: while that depends on the role alone. */
  readonly awaits?: boolean
  /** The screen’s main actions, at the end of the line. */
  readonly children?: ReactNode
}

/** The head of a screen, which also names the browser’s tab. */
export const PageHeader = ({ title, tab = title, about, edited, awaits, children }: PageHeaderProps) => {
  const role = useRole()
  return (
    <Group justify="space-between" align="flex-start" gap="md" mb="lg">
      <title>{t('{tab} · Assay', { tab })}</title>
      <Stack gap={2} className="reading">
        {edited ?? (
          <Title order={1}>
            <bdi>{title}</bdi>
          </Title>
        )}
        {about !== undefined && (
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        )}
      </Stack>
      {(awaits ?? (children === false && role === undefined)) ? (
        // Their room on a phone, where they have a line of their own, as high as a finger needs it.
        <Button size="sm" hiddenFrom="sm" style={{ visibility: 'hidden' }} />
      ) : (
        // On a phone an empty group would be an empty line.
        children !== undefined && children !== false && <Group gap="sm">{children}</Group>
      )}
    </Group>
  )
}
