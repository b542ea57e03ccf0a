import { Badge, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Output } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ClassificationBadge } from '../../parts/badges.tsx'
import { ChooseBox } from '../../parts/evidence/choose-box.tsx'
import { Reference, When } from '../../parts/inline.tsx'
import { Quote } from '../../parts/quote.tsx'
import classes from './themes.module.css'

export type Member = Output<'lookup_theme'>['items'][number]

interface Props {
  readonly member: Member
  readonly ticked?: boolean
  /** Absent: it is not to be ticked, or the person’s role may decide nothing. */
  readonly onToggle?: (isRange: boolean) => void
  /** The theme has it no more: it is shown because the person is at work on it. */
  readonly isGone?: boolean
  /** What can be said of it, below. */
  readonly children?: ReactNode
}

/** One signal by the sentence that tells most of the theme, and the claim that it is evidence of already. */
export const MemberPiece = ({ member, ticked = false, onToggle, isGone = false, children }: Props) => (
  <li className={classes.piece} aria-label={member.reference} data-signal={member.signal_id}>
    <Group gap="sm" mb="xs">
      {onToggle !== undefined && (
        <ChooseBox reference={member.reference} text={member.text} isChosen={ticked} onToggle={onToggle} />
      )}
      <Reference of={member.reference} about={member.text} />
      <ClassificationBadge classification={member.classification} />
      {member.is_confirmed && (
        <Badge size="sm" variant="light" color="gray">
          {t('confirmed')}
        </Badge>
      )}
      {isGone && (
        <Badge size="sm" variant="light" color="gray">
          {t('no longer in it')}
        </Badge>
      )}
      <Text size="xs" c="dimmed" component="div">
        {member.claim !== null && (
          <>{rich('evidence of {reference}', { reference: <Reference of={member.claim} /> })} · </>
        )}
        <When at={member.occurred_at} />
      </Text>
    </Group>
    <Quote text={member.text} most={400} />
    {children}
  </li>
)
