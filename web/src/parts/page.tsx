import { Box } from '@mantine/core'
import type { ReactNode } from 'react'

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
