import { Box, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

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
