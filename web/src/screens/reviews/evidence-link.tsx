import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface Props {
  readonly to: string
  /** What it leads to, for whoever does not see where it stands. */
  readonly label?: string
  readonly children: ReactNode
}

/** A number that leads to what it was counted from. */
export const EvidenceLink = ({ to, label, children }: Props) => (
  <Anchor
    component={Link}
    to={to}
    inherit
    c="inherit"
    underline="hover"
    {...(label !== undefined && { 'aria-label': label })}
  >
    {children}
  </Anchor>
)
