import { Checkbox, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { type Output, useCanEdit } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ClassificationBadge } from '../../parts/badges.tsx'
import { Reference, When } from '../../parts/inline.tsx'
import { Quote } from '../../parts/quote.tsx'
import type { Theme } from './theme-facts.tsx'
import classes from './themes.module.css'

export type Member = Output<'lookup_theme'>['items'][number]

interface Props {
  readonly theme: Theme
  /** Of all pages that are read, the surest first. */
  readonly members: readonly Member[]
}

/** The signals of a theme, each to be ticked; those that are doubtful are at the end, and are not ticked. */
export const ThemeMembers = ({ members }: Props) => {
  const canEdit = useCanEdit()
  /** Those that are ticked otherwise than they were at first. */
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const toggle = (reference: string) => {
    const next = new Set(changed)
    if (!next.delete(reference)) next.add(reference)
    setChanged(next)
  }
  const isTicked = ({ reference, is_doubtful }: Member) => changed.has(reference) === is_doubtful
  const pieces = (shown: readonly Member[]) =>
    shown.map(member => (
      <MemberPiece
        key={member.signal_id}
        member={member}
        {...(canEdit && { ticked: isTicked(member), onToggle: () => toggle(member.reference) })}
      />
    ))
  const doubtful = members.filter(({ is_doubtful }) => is_doubtful)
  return (
    <>
      <ol className="plain" aria-label={t('Signals')}>
        {pieces(members.filter(({ is_doubtful }) => !is_doubtful))}
      </ol>
      {doubtful.length > 0 && (
        <section aria-labelledby="doubtful">
          <Title order={3} id="doubtful" mt="lg">
            {t('Doubtful')}
          </Title>
          <Text size="sm" c="dimmed" mb="sm">
            {t('These are little more alike to the others than signals that speak of other things.')}
          </Text>
          <ol className="plain" aria-label={t('Doubtful')}>
            {pieces(doubtful)}
          </ol>
        </section>
      )}
    </>
  )
}

interface MemberPieceProps {
  readonly member: Member
  readonly ticked?: boolean
  /** Absent: the person’s role may decide nothing. */
  readonly onToggle?: () => void
}

/** One signal by the sentence that tells most of the theme, and the claim that it is evidence of already. */
const MemberPiece = ({ member, ticked = false, onToggle }: MemberPieceProps) => (
  <li className={classes.piece} aria-label={member.reference}>
    <Group gap="sm" mb="xs">
      {onToggle !== undefined && (
        <Checkbox
          size="xs"
          aria-label={t('Choose {reference}', { reference: member.reference })}
          checked={ticked}
          onChange={onToggle}
        />
      )}
      <Reference of={member.reference} />
      <ClassificationBadge classification={member.classification} />
      <Text size="xs" c="dimmed" component="div">
        {member.claim !== null && (
          <>{rich('evidence of {reference}', { reference: <Reference of={member.claim} /> })} · </>
        )}
        <When at={member.occurred_at} />
      </Text>
    </Group>
    <Quote text={member.text} most={400} />
  </li>
)
