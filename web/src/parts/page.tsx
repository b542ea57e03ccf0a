import { Box, Button, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useCanEdit, useRole } from '../api/operations.ts'
import { t } from '../language/messages.ts'

interface SectionProps {
  readonly title: string
  readonly about: ReactNode
  readonly children: ReactNode
}

/** A part of the settings with a heading. */
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
  /** `reading` for forms and texts, `working` for lists and tables, `full` for the whole width. */
  readonly width?: keyof typeof WIDTHS
  readonly children: ReactNode
}

/** Frame of a screen's content. Every screen uses one. */
export const Page = ({ width = 'working', children }: Props) => (
  <Box p={{ base: 'md', sm: 'lg' }} pb="xl" maw={WIDTHS[width]} mx="auto">
    <div data-page>{children}</div>
  </Box>
)

const UNSEEN = { style: { visibility: 'hidden' } } as const

/**
 * For buttons of editors beside others: until the role is known they have their room, unseen, and nothing below the
 * header moves.
 */
export const useRoomForEditing = () => {
  const isAwaited = useRole() === undefined
  const canEdit = useCanEdit()
  return { hasRoom: canEdit || isAwaited, unseen: isAwaited ? UNSEEN : {} }
}

interface PageHeaderProps {
  readonly title: string
  /** Title of the browser's tab, when it is longer than the heading. */
  readonly tab?: string
  /** A sentence about the purpose of the screen. */
  readonly about?: ReactNode
  /** The field in which the heading is being edited. */
  readonly edited?: ReactNode
  /** True while the actions are unknown. By default while they depend on the role alone. */
  readonly awaits?: boolean
  /** The screen's main actions, at the end of the line. */
  readonly children?: ReactNode
}

/** Head of a screen; it also sets the tab's title. */
export const PageHeader = ({ title, tab = title, about, edited, awaits, children }: PageHeaderProps) => {
  const role = useRole()
  return (
    // As high as a button, whichever buttons the screen has.
    <Group justify="space-between" align="flex-start" gap="md" mb="lg" mih={{ sm: 36 }}>
      <title>{t('{tab} · Assay', { tab })}</title>
      <Stack gap={2} className="reading">
        {edited === undefined ? (
          <Title order={1}>
            <bdi>{title}</bdi>
          </Title>
        ) : (
          <>
            {edited}
            {/* Keeps the heading for screen readers while it is being edited. */}
            <VisuallyHidden component="h1">{title}</VisuallyHidden>
          </>
        )}
        {about !== undefined && (
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        )}
      </Stack>
      {(awaits ?? (children === false && role === undefined)) ? (
        // Reserves about the room of the actions, with a line of touchable height where they wrap.
        <Button size="sm" miw="10rem" style={{ visibility: 'hidden' }} />
      ) : (
        // On a phone an empty group would be an empty line.
        children !== undefined && children !== false && <Group gap="sm">{children}</Group>
      )}
    </Group>
  )
}
