import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly label: string
  /** Below this width, in pixels, it scrolls sideways by itself. */
  readonly minWidth: number
  readonly children: ReactNode
}

/** Room for a table that a phone is too narrow for: it scrolls, and not the page; by keyboard too, whatever is in it. */
export const ScrollingTable = ({ label, minWidth, children }: Props) => (
  <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="region" aria-label={label}>
    {children}
  </Table.ScrollContainer>
)
