import { Button, Group, Kbd, Text, Title } from '@mantine/core'
import { useRef, useState } from 'react'
import { useCanEdit, useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { useKeys } from '../../shell/keys.ts'
import { inOrderSeen } from './kept-rows.ts'
import { type Member, MemberPiece } from './member-piece.tsx'
import { perhapsSame } from './perhaps-same.ts'
import { SameTheme } from './same-theme.tsx'
import type { ThemeActs } from './use-theme-acts.ts'

interface Props {
  readonly id: string
  /** Those that are read: one that belongs to it by now is offered no more. */
  readonly members: readonly Member[]
  readonly acts: ThemeActs
}

/**
 * Signals of the whole workspace that likely belong to the theme, too: each is taken or kept out by a key. They keep
 * their order while a person answers, though each answer makes others likelier.
 */
export const ThemeCandidates = ({ id, members, acts }: Props) => {
  const canEdit = useCanEdit()
  const { data } = useOperation('lookup_theme', { id, candidates: true })
  const list = useRef<HTMLOListElement>(null)
  const [seen, setSeen] = useState<{ readonly read: unknown; readonly rows: readonly Member[] }>({
    read: null,
    rows: [],
  })
  /** By signal: whether it belongs, as the person said. */
  const [answers, setAnswers] = useState<ReadonlyMap<string, boolean>>(new Map())
  if (data !== undefined && data !== seen.read) setSeen({ read: data, rows: inOrderSeen(seen.rows, data.items) })
  const inIt = new Set(members.map(({ signal_id }) => signal_id))
  const candidates = without(without(seen.rows, answers), inIt)
  const same = perhapsSame(
    seen.rows.filter(({ in_theme }) => in_theme !== id && !data?.parts.includes(in_theme ?? '')),
    answers,
  )
  const say = async (belongs: boolean, signalIds: string[]) => {
    const act = belongs ? acts.confirm : acts.refuse
    setAnswers(before => new Map([...before, ...signalIds.map(each => [each, belongs] as const)]))
    // What was not done, or is undone, comes back where it was: the service may offer others by then.
    const comeBack = () => setAnswers(before => new Map([...before].filter(([each]) => !signalIds.includes(each))))
    if ((await act(signalIds, comeBack)) === undefined) comeBack()
  }
  /** Says it of one, and goes to the next. */
  const answer = (belongs: boolean, signalId: string) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('li[data-signal]') ?? [])]
    const at = rows.findIndex(row => row.dataset.signal === signalId)
    const next = rows[at + 1] ?? rows[at - 1]
    next?.querySelector('a')?.focus()
    void say(belongs, [signalId])
  }
  const ofFocused = (belongs: boolean) => () => {
    const row = document.activeElement?.closest<HTMLElement>('li[data-signal]')
    if (row?.dataset.signal !== undefined && list.current?.contains(row)) answer(belongs, row.dataset.signal)
  }
  useKeys(
    canEdit && candidates.length > 0
      ? [
          { key: 'y', does: BELONGS, run: ofFocused(true) },
          { key: 'n', does: DOES_NOT, run: ofFocused(false) },
        ]
      : [],
  )
  if (candidates.length === 0 && same === null) return null
  const pieces = candidates.map(candidate => (
    <MemberPiece key={candidate.signal_id} member={candidate}>
      {canEdit && <Answers of={candidate} onAnswer={belongs => answer(belongs, candidate.signal_id)} />}
    </MemberPiece>
  ))
  // It stands where the person is at work: the list may be longer than the window.
  const reached = seen.rows.findIndex(({ signal_id }) => signal_id === [...answers.keys()].at(-1))
  const passed = candidates.filter(candidate => seen.rows.indexOf(candidate) < reached).length
  const offer = canEdit && same !== null && <SameTheme {...same} key={same.reference} of={id} acts={acts} />
  return (
    <section aria-labelledby="candidates">
      <Title order={3} id="candidates" mt="lg">
        {t('Probably belongs here too')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('From the whole workspace, the most likely first. What you confirm or keep out makes this list better.')}
      </Text>
      <ol className="plain" aria-label={t('Probably belongs here too')} ref={list}>
        {offer === false ? pieces : pieces.toSpliced(passed, 0, offer)}
      </ol>
      {canEdit && candidates.length > 0 && (
        <Button
          {...SMALL}
          mt="sm"
          onClick={() =>
            void say(
              false,
              candidates.map(({ signal_id }) => signal_id),
            )
          }
        >
          {t('None of these belongs')}
        </Button>
      )}
    </section>
  )
}

const without = (rows: readonly Member[], ids: Pick<ReadonlySet<string>, 'has'>): readonly Member[] =>
  rows.filter(({ signal_id }) => !ids.has(signal_id))

interface AnswersProps {
  readonly of: Member
  readonly onAnswer: (belongs: boolean) => void
}

const Answers = ({ of: { reference }, onAnswer }: AnswersProps) => (
  <Group gap="xs" mt="xs">
    <Button {...SMALL} rightSection={<Key name="y" />} aria-description={reference} onClick={() => onAnswer(true)}>
      {BELONGS}
    </Button>
    <Button {...SMALL} rightSection={<Key name="n" />} aria-description={reference} onClick={() => onAnswer(false)}>
      {DOES_NOT}
    </Button>
  </Group>
)

const SMALL = { size: 'compact-xs', variant: 'default' } as const
const BELONGS = t('Belongs to it')
const DOES_NOT = t('Does not')

const Key = ({ name }: { readonly name: string }) => (
  <Kbd size="xs" aria-hidden data-keyboard>
    {name}
  </Kbd>
)
