import { Group, Kbd, Text, Title } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { MAX_TRIAGED } from '../../../../schemas/domain/limits.ts'
import { useCanEdit } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { TellingButton } from '../../parts/controls.tsx'
import { useKeys } from '../../shell/keys.ts'
import { type Member, MemberPiece } from './member-piece.tsx'
import type { ThemeActs } from './use-theme-acts.ts'

interface Props {
  /** Of all pages that are read, the surest first. */
  readonly members: readonly Member[]
  readonly acts: ThemeActs
  /** What stands behind them, among the rows that keys go through. */
  readonly children: ReactNode
}

/** The signals of a theme, each to be ticked; those that are doubtful are at the end, and are not ticked. */
export const ThemeMembers = ({ members, acts, children }: Props) => {
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
  const others = members.filter(member => !isTicked(member))
  const missing = whyNot(ticked, others)
  const gatherTicked = () => missing === null && void acts.gather(idsOf(ticked), idsOf(others))
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
            loading={acts.busy}
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
            {others.length > 0 &&
              ` · ${t('not chosen, and kept out then: {number}', { number: others.length.toLocaleString(language) })}`}
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
      {children}
    </div>
  )
}

const idsOf = (members: readonly Member[]): string[] => members.map(({ signal_id }) => signal_id)

const GATHER = t('Make the ticked ones evidence of one claim')

/** Why the ticked signals cannot be made evidence of one claim; null: they can. */
const whyNot = (ticked: readonly Member[], others: readonly Member[]): string | null => {
  if (ticked.length === 0) return t('Tick the signals that speak of one thing.')
  if (Math.max(ticked.length, others.length) > MAX_TRIAGED) return t('At most {most} at once.', { most: MAX_TRIAGED })
  const [first] = ticked
  const isEvidence = ticked.every(({ claim, state }) => claim === first?.claim && state === 'accepted')
  const isAnswered = others.length === 0 && ticked.every(({ is_confirmed }) => is_confirmed)
  if (isEvidence && isAnswered && first?.claim != null)
    return t('They are evidence of {reference} already.', { reference: first.claim })
  return null
}
