import { Button, Group, Kbd, Text, Title } from '@mantine/core'
import { useRef } from 'react'
import { useCanEdit, useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { useKeys } from '../../shell/keys.ts'
import { MemberPiece } from './member-piece.tsx'
import type { ThemeActs } from './use-theme-acts.ts'

interface Props {
  readonly id: string
  readonly acts: ThemeActs
}

/** Signals of the whole workspace that likely belong to the theme, too: each is taken or kept out by a key. */
export const ThemeCandidates = ({ id, acts }: Props) => {
  const canEdit = useCanEdit()
  const { data } = useOperation('lookup_theme', { id, candidates: true })
  const list = useRef<HTMLOListElement>(null)
  const candidates = data?.items ?? []
  /** Says it of one, and goes to the next. */
  const answer = (say: ThemeActs['confirm'], signalId: string) => {
    const row = list.current?.querySelector(`[data-signal="${signalId}"]`)
    const next = row?.nextElementSibling ?? row?.previousElementSibling
    next?.querySelector('a')?.focus()
    void say([signalId])
  }
  const ofFocused = (say: ThemeActs['confirm']) => () => {
    const row = document.activeElement?.closest<HTMLElement>('li[data-signal]')
    if (row?.dataset.signal !== undefined && list.current?.contains(row)) answer(say, row.dataset.signal)
  }
  useKeys(
    canEdit && candidates.length > 0
      ? [
          { key: 'y', does: BELONGS, run: ofFocused(acts.confirm) },
          { key: 'n', does: DOES_NOT, run: ofFocused(acts.refuse) },
        ]
      : [],
  )
  if (candidates.length === 0) return null
  return (
    <section aria-labelledby="candidates">
      <Title order={3} id="candidates" mt="lg">
        {t('Likely, too')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('From the whole workspace, the surest first, by what is confirmed and kept out.')}
      </Text>
      <ol className="plain" aria-label={t('Likely, too')} ref={list}>
        {candidates.map(candidate => (
          <MemberPiece key={candidate.signal_id} member={candidate}>
            {canEdit && (
              <Group gap="xs" mt="xs">
                <Button
                  {...SMALL}
                  rightSection={<Key name="y" />}
                  onClick={() => answer(acts.confirm, candidate.signal_id)}
                >
                  {BELONGS}
                </Button>
                <Button
                  {...SMALL}
                  rightSection={<Key name="n" />}
                  onClick={() => answer(acts.refuse, candidate.signal_id)}
                >
                  {DOES_NOT}
                </Button>
              </Group>
            )}
          </MemberPiece>
        ))}
      </ol>
      {canEdit && (
        <Button {...SMALL} mt="sm" onClick={() => acts.refuse(candidates.map(({ signal_id }) => signal_id))}>
          {t('None of these belongs')}
        </Button>
      )}
    </section>
  )
}

const SMALL = { size: 'compact-xs', variant: 'default' } as const
const BELONGS = t('Belongs to it')
const DOES_NOT = t('Does not')

const Key = ({ name }: { readonly name: string }) => (
  <Kbd size="xs" aria-hidden data-keyboard>
    {name}
  </Kbd>
)
