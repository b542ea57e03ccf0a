import { Anchor } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { Link, useParams } from 'react-router'
import { EmptyState } from '../../parts/empty-state.tsx'
import { SignalPage } from './signal-page.tsx'

/** `/app/signals/SIG-1`, by reference or by the id that a sender was answered. The list of signals is Triage. */
const Signals = () => {
  const { '*': id = '' } = useParams()
  if (id !== '') return <SignalPage key={id} id={id} />
  return (
    <EmptyState icon={IconInbox} title="Find a signal" heading="h1">
      <Anchor component={Link} to="/app/triage" inherit underline="always">
        Triage
      </Anchor>{' '}
      lists them. A reference such as SIG-7, typed into the command palette, leads straight to one.
    </EmptyState>
  )
}

export default Signals
