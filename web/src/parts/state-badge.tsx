import { Badge } from '@mantine/core'
import type { ClaimState, SignalState, SolutionState } from '../../../schemas/domain/vocabulary.ts'
import { word } from '../language/messages.ts'

type AnyState = SignalState | ClaimState | SolutionState

/** Grey waits, blue is worked on, green came through, and what was let go is an outline. */
const LOOKS: Readonly<Record<AnyState, { readonly color: string; readonly outline?: true }>> = {
  triage: { color: 'yellow' },
  accepted: { color: 'teal' },
  dismissed: { color: 'gray', outline: true },
  emerging: { color: 'gray' },
  established: { color: 'accent' },
  addressed: { color: 'teal' },
  Backlog: { color: 'gray' },
  Planned: { color: 'accent' },
  'In Progress': { color: 'yellow' },
  'In Review': { color: 'violet' },
  Done: { color: 'teal' },
  Dropped: { color: 'gray', outline: true },
}

interface Props {
  readonly state: AnyState
}

/** The state of a signal, a claim or a Solution. */
export const StateBadge = ({ state }: Props) => (
  <Badge
    variant={LOOKS[state].outline ? 'outline' : 'light'}
    color={LOOKS[state].color}
    tt="none"
    fw={550}
    size="md"
    miw="max-content"
  >
    {word(state)}
  </Badge>
)
