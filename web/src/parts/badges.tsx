import { Avatar, Badge, Tooltip } from '@mantine/core'
import { IconBug, IconBulb, IconHelp, IconLineDashed } from '@tabler/icons-react'
import type { ClaimState, Classification, SignalState, SolutionState } from '../../../schemas/domain/vocabulary.ts'
import { t, word } from '../language/messages.ts'

type AnyState = SignalState | ClaimState | SolutionState

/** Grey waits, blue is worked on, green succeeded; an outline was given up. */
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

/** State of a signal, a claim or a Solution. */
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

/** Looks of the kinds of signals: icons distinguish them without colour. */
export const CLASSIFICATION_LOOKS = {
  problem: { color: 'red', icon: IconBug },
  idea: { color: 'teal', icon: IconBulb },
  question: { color: 'accent', icon: IconHelp },
  unclassified: { color: 'gray', icon: IconLineDashed },
} as const satisfies Readonly<Record<Classification, object>>

interface ClassificationBadgeProps {
  readonly classification: Classification
}

export const ClassificationBadge = ({ classification }: ClassificationBadgeProps) => {
  const { color, icon: Icon } = CLASSIFICATION_LOOKS[classification]
  return (
    <Badge
      variant="light"
      color={color}
      tt="none"
      fw={550}
      size="md"
      miw="max-content"
      leftSection={<Icon size={13} aria-hidden />}
    >
      {word(classification)}
    </Badge>
  )
}

/** Owner filters of a list. */
export const OWNERS = [
  { value: 'me', label: t('Mine') },
  { value: 'nobody', label: t('Without an owner') },
] as const

interface OwnersProps {
  readonly name: string
}

/** An owner as a small round with initials; the name shows on hover and in screen readers. */
export const Initials = ({ name }: OwnersProps) => (
  <Tooltip label={t('Owner: {name}', { name })}>
    <Avatar size={22} name={name} color="accent" role="img" aria-label={t('Owner: {name}', { name })} alt="" />
  </Tooltip>
)
