import { Button, Group, Kbd, Text, Title } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { MAX_TRIAGED } from '../../../../schemas/domain/limits.ts'
import { useCanEdit } from '../../api/operations.ts'
import { counted, plural, t } from '../../language/messages.ts'
import { loadPart } from '../../load-part.ts'
import { TellingButton } from '../../parts/controls.tsx'
import { useRange } from '../../parts/evidence/choose-box.tsx'
import { later } from '../../parts/later.tsx'
import { StickyBar } from '../../parts/sticky-bar.tsx'
import { useKeys } from '../../shell/keys.ts'
import { useKeptMembers } from './kept-rows.ts'
import { type Member, MemberPiece } from './member-piece.tsx'
import type { ThemeActs } from './use-theme-acts.ts'

const NodeOfTheme = later(
  loadPart(() => import('./node-of-theme.tsx')),
  part => part.NodeOfTheme,
)

interface Props {
  /** What a node of the map is called that is made of it. */
  readonly name: string
  /** All that are read, the surest first. */
  readonly pages: readonly (readonly Member[])[]
  readonly acts: ThemeActs
  /** What stands behind them, among the rows that keys go through. */
  readonly children: ReactNode
}

/** The signals of a theme, each to be ticked; those that are doubtful are at the end, and are not ticked. */
export const ThemeMembers = ({ name, pages, acts, children }: Props) => {
  const canEdit = useCanEdit()
  const list = useRef<HTMLDivElement>(null)
  const { members, hasChanged, isGone, keep, release } = useKeptMembers(pages, acts.added)
  /** What the person ticked or unticked, which stays so whatever becomes of the theme. */
  const [answers, setAnswers] = useState<ReadonlyMap<string, boolean>>(new Map())
  const isTicked = ({ reference, is_doubtful }: Member) => answers.get(reference) ?? !is_doubtful
  const isSure = ({ is_doubtful }: Member) => !is_doubtful
  const shown = [...members.filter(isSure), ...members.filter(member => !isSure(member))]
  const rangeOf = useRange(shown.map(({ reference }) => reference))
  const toggle = (member: Member, isRange = false) => {
    keep()
    const becomes = !isTicked(member)
    const answered = rangeOf(member.reference, isRange).map(reference => [reference, becomes] as const)
    setAnswers(before => new Map([...before, ...answered]))
  }
  /** The signals that a node is to be made of, while the person says where it goes. */
  const [forNode, setForNode] = useState<readonly string[] | null>(null)
  /** The act that is carried out, whose button says that it waits. */
  const [running, setRunning] = useState<string | null>(null)
  const carryOut = async (key: string, act: () => Promise<unknown>) => {
    setRunning(key)
    await act()
    setRunning(null)
  }
  /** Once it is decided which signals belong together, the theme is shown as it became by that. */
  const decide = async (act: Promise<unknown>) => {
    if ((await act) !== undefined) release()
  }
  const ticked = members.filter(isTicked)
  const unticked = members.filter(member => !isTicked(member))
  // Nobody has looked at a doubtful one that was never ticked: it stays.
  const out = unticked.filter(({ reference }) => answers.has(reference))
  const missing = whyNot(ticked, out)
  const gatherTicked = () =>
    missing === null && void carryOut('1', () => decide(acts.gather(idsOf(ticked), idsOf(out))))
  const lacks = ticked.length === 0 || ticked.length > MAX_TRIAGED ? whyNot(ticked, []) : null
  const further: readonly Act[] = [
    {
      ...{ key: '2', label: SOLVE, run: () => decide(acts.solve(idsOf(ticked), idsOf(out))) },
      missing: out.length > MAX_TRIAGED ? whyNot(ticked, out) : lacks,
    },
    { key: '3', label: NODE, missing: lacks, run: async () => setForNode(idsOf(ticked)) },
    {
      ...{ key: '4', label: SPLIT, run: () => decide(acts.split(idsOf(ticked))) },
      missing: unticked.length === 0 ? t('Do not tick the signals that stay in this theme.') : lacks,
    },
  ]
  const toggleFocused = () => {
    const focused = document.activeElement?.closest('li')?.ariaLabel
    const member = members.find(({ reference }) => reference === focused)
    if (member !== undefined) toggle(member)
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
          ...further.map(({ key, label, missing: why, run }) => ({
            key,
            does: label,
            run: () => why === null && void carryOut(key, run),
          })),
          { key: 'x', does: t('Choose this one, or not'), run: toggleFocused },
        ]
      : [],
  )
  const pieces = (shown: readonly Member[]) =>
    shown.map(member => (
      <MemberPiece
        key={member.signal_id}
        member={member}
        {...(canEdit && { ticked: isTicked(member), onToggle: isRange => toggle(member, isRange) })}
        isGone={isGone(member)}
      />
    ))
  const doubtful = shown.filter(member => !isSure(member))
  return (
    <div ref={list}>
      {canEdit && members.length > 0 && (
        <StickyBar mb="sm">
          <TellingButton
            size="xs"
            missing={missing}
            loading={running === '1'}
            disabled={acts.busy && running !== '1'}
            rightSection={
              <Kbd size="xs" aria-hidden data-keyboard>
                1
              </Kbd>
            }
            onClick={gatherTicked}
          >
            {GATHER}
          </TellingButton>
          {further.map(({ key, label, missing: why, run }) => (
            <TellingButton
              key={key}
              size="xs"
              variant="default"
              missing={why}
              loading={running === key}
              disabled={acts.busy && running !== key}
              rightSection={
                <Kbd size="xs" aria-hidden data-keyboard>
                  {key}
                </Kbd>
              }
              onClick={() => void carryOut(key, run)}
            >
              {label}
            </TellingButton>
          ))}
          <Text size="sm" c="dimmed" role="status">
            {t('{signals} chosen', { signals: counted(ticked.length, 'signal') })}
            {out.length > 0 &&
              ` · ${plural(out.length, '{number} that you unticked leaves the theme by 1 or 2', '{number} that you unticked leave the theme by 1 or 2')}`}
          </Text>
          <Group gap="sm" role="status">
            {hasChanged && (
              <>
                <Text size="sm">{t('This theme has changed meanwhile.')}</Text>
                <Button size="compact-xs" variant="default" onClick={release}>
                  {t('Show it as it is now')}
                </Button>
              </>
            )}
          </Group>
        </StickyBar>
      )}
      <ol className="plain" aria-label={t('Signals')}>
        {pieces(shown.filter(isSure))}
      </ol>
      {doubtful.length > 0 && (
        <section aria-labelledby="doubtful">
          <Title order={3} id="doubtful" mt="lg">
            {t('Doubtful')}
          </Title>
          <Text size="sm" c="dimmed" mb="sm">
            {t('These are hardly more similar to the others than signals about something else.')}
          </Text>
          <ol className="plain" aria-label={t('Doubtful')}>
            {pieces(doubtful)}
          </ol>
        </section>
      )}
      {children}
      {forNode !== null && (
        <NodeOfTheme
          name={name}
          signals={forNode.length}
          onMake={parentId => void carryOut('3', () => acts.makeNode(name, forNode, parentId))}
          onClose={() => setForNode(null)}
        />
      )}
    </div>
  )
}

const idsOf = (members: readonly Member[]): string[] => members.map(({ signal_id }) => signal_id)

const GATHER = t('Make the ticked ones evidence of one claim')
const SOLVE = t('And a Solution for it')
const NODE = t('A node of the map')
const SPLIT = t('A theme of their own')

/** What can be made of the ticked ones beside a claim. */
interface Act {
  readonly key: string
  readonly label: string
  readonly missing: string | null
  readonly run: () => Promise<unknown>
}

/** Why the ticked signals cannot be made evidence of one claim; null: they can. */
const whyNot = (ticked: readonly Member[], out: readonly Member[]): string | null => {
  if (ticked.length === 0) return t('Tick the signals that speak of one thing.')
  if (Math.max(ticked.length, out.length) > MAX_TRIAGED) return t('At most {most} at once.', { most: MAX_TRIAGED })
  const [first] = ticked
  const isEvidence = ticked.every(({ claim, state }) => claim === first?.claim && state === 'accepted')
  const isAnswered = out.length === 0 && ticked.every(({ is_confirmed }) => is_confirmed)
  if (isEvidence && isAnswered && first?.claim != null)
    return t('They are evidence of {reference} already.', { reference: first.claim })
  return null
}
