import { Checkbox, Group, Kbd, Text, Title } from '@mantine/core'
import { useRef, useState } from 'react'
import { MAX_TRIAGED } from '../../../../schemas/domain/limits.ts'
import { type Output, useCanEdit } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ClassificationBadge } from '../../parts/badges.tsx'
import { TellingButton } from '../../parts/controls.tsx'
import { Reference, When } from '../../parts/inline.tsx'
import { Quote } from '../../parts/quote.tsx'
import { useKeys } from '../../shell/keys.ts'
import classes from './themes.module.css'
import { useGather } from './use-gather.ts'

export type Member = Output<'lookup_theme'>['items'][number]

interface Props {
  /** Of all pages that are read, the surest first. */
  readonly members: readonly Member[]
}

/** The signals of a theme, each to be ticked; those that are doubtful are at the end, and are not ticked. */
export const ThemeMembers = ({ members }: Props) => {
  const canEdit = useCanEdit()
  const list = useRef<HTMLDivElement>(null)
  /** Those that are ticked otherwise than they were at first. */
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const toggle = (reference: string) => {
    const next = new Set(changed)
    if (!next.delete(reference)) next.add(reference)
    setChanged(next)
  }
  const isTicked = ({ reference, is_doubtful }: Member) => changed.has(reference) === is_doubtful
  const ticked = members.filter(isTicked)
  const { gather, undoLast, busy } = useGather()
  const missing = whyNot(ticked)
  const gatherTicked = () => missing === null && void gather(ticked.map(({ signal_id }) => signal_id))
  const toggleFocused = () => {
    const focused = document.activeElement?.closest('li')?.ariaLabel
    if (focused != null && members.some(({ reference }) => reference === focused)) toggle(focused)
  }
  // Past the quotes, which have links too.
  const move = (by: 1 | -1) => () => {
    const rows = [...(list.current?.querySelectorAll('li') ?? [])]
    const now = rows.findIndex(row => row.contains(document.activeElement))
    rows[Math.max(0, Math.min(now + by, rows.length - 1))]?.querySelector('a')?.focus()
  }
  useKeys([
    { key: 'j', does: t('Next line'), run: move(1) },
    { key: 'k', does: t('Previous line'), run: move(-1) },
  ])
  useKeys(
    canEdit
      ? [
          { key: '1', does: GATHER, run: gatherTicked },
          { key: 'x', does: t('Choose this one, or not'), run: toggleFocused },
          { key: 'z', does: t('Undo'), run: undoLast },
        ]
      : [],
  )
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
    <div ref={list}>
      {canEdit && members.length > 0 && (
        <Group gap="sm" mb="sm" py="xs" pos="sticky" top={0} bg="body" style={{ zIndex: 1 }}>
          <TellingButton
            size="xs"
            missing={missing}
            loading={busy}
            rightSection={
              <Kbd size="xs" aria-hidden data-keyboard>
                1
              </Kbd>
            }
            onClick={gatherTicked}
          >
            {GATHER}
          </TellingButton>
          <Text size="sm" c="dimmed" role="status">
            {t('{signals} chosen', { signals: counted(ticked.length, 'signal') })}
          </Text>
        </Group>
      )}
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
    </div>
  )
}

const GATHER = t('Make the ticked ones evidence of one claim')

/** Why the ticked signals cannot be made evidence of one claim; null: they can. */
const whyNot = (ticked: readonly Member[]): string | null => {
  if (ticked.length === 0) return t('Tick the signals that speak of one thing.')
  if (ticked.length > MAX_TRIAGED) return t('At most {most} at once.', { most: MAX_TRIAGED })
  const [first] = ticked
  const isDone = ticked.every(({ claim, state }) => claim === first?.claim && state === 'accepted')
  if (isDone && first?.claim != null) return t('They are evidence of {reference} already.', { reference: first.claim })
  return null
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
          // Back to the row and its keys, which rest in a field.
          onClick={({ detail, currentTarget }) =>
            detail > 0 && currentTarget.closest('li')?.querySelector('a')?.focus({ preventScroll: true })
          }
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
