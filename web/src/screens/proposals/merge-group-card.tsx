import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconArrowsExchange, IconCheck, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { counted } from '../../parts/counted.ts'
import { MarkedText } from '../../parts/evidence/marked-text.tsx'
import { matching, type Segment } from '../../parts/evidence/matching.ts'
import { RejectedCandidates } from '../../parts/evidence/rejected-candidates.tsx'
import { percent } from '../../parts/numbers.ts'
import { Reference } from '../../parts/reference.tsx'
import { When } from '../../parts/when.tsx'
import classes from './merge-group-card.module.css'
import { claimsOf, type MergeGroup, type MergePair, type Merges } from './use-merges.ts'

interface Props {
  readonly group: MergeGroup
  readonly merges: Merges
  readonly canDecide: boolean
  readonly selected: boolean
  readonly onSelect: () => void
}

/** Claims on the left, and on the right the one that they may be the same as, marked with what it shares with the one that is looked at. */
export const MergeGroupCard = ({ group, merges, canDecide, selected, onSelect }: Props) => {
  const { survivor, pairs } = group
  const [at, setAt] = useState(0)
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!selected || card.current === null || !mayTakeFocus(card.current)) return
    card.current.focus({ preventScroll: true })
    card.current.scrollIntoView({ block: 'nearest' })
  }, [selected])
  const shared = pairs.map(({ claim }) => matching(claim.text, survivor.text))
  const into = merges.livesOn(group)
  const name = claimsOf(group).find(({ id }) => id === into)?.reference
  const several = pairs.length > 1
  return (
    // It takes the focus so that the keys and a screen reader are where the person is.
    <li
      ref={card}
      tabIndex={selected ? 0 : -1}
      aria-current={selected}
      aria-label={`Merges with ${survivor.reference}`}
      className={classes.card}
      onFocus={onSelect}
    >
      <Group className={classes.head} justify="space-between" gap="sm">
        <Text size="sm" fw={550}>
          {several ? counted(pairs.length, 'claim') : pairs[0]?.claim.reference} may be the same as {survivor.reference}
          {group.count > pairs.length && ` (the best of ${group.count})`}
        </Text>
        {canDecide && (
          <Group gap="sm">
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              leftSection={<IconArrowsExchange size={14} aria-hidden />}
              onClick={() => merges.swap(group)}
            >
              Swap
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconX size={14} aria-hidden />}
              disabled={merges.busy}
              onClick={() => merges.refuse(group)}
            >
              {several ? 'None is the same' : 'Not the same'}
            </Button>
            <Button
              size="xs"
              variant={selected ? 'filled' : 'light'}
              leftSection={<IconCheck size={14} aria-hidden />}
              disabled={merges.busy}
              onClick={() => merges.merge(group)}
            >
              {several ? `Merge all ${pairs.length} into` : 'Merge into'} {name}
            </Button>
          </Group>
        )}
      </Group>
      <div className={classes.sides}>
        <ol className={classes.pairs}>
          {pairs.map((pair, position) => (
            // The pointer only chooses what is marked on the other side; every text is marked on its own.
            <li
              key={pair.id}
              className={classes.pair}
              onMouseEnter={() => setAt(position)}
              onFocus={() => setAt(position)}
            >
              <ClaimText
                claim={pair.claim}
                segments={shared[position]?.[0] ?? []}
                into={name}
                livesOn={pair.claim.id === into}
              />
              <PairFacts pair={pair}>
                {canDecide && several && (
                  <>
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={merges.busy}
                      onClick={() => merges.merge(group, [pair])}
                    >
                      Merge this one
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="gray"
                      disabled={merges.busy}
                      onClick={() => merges.refuse(group, [pair])}
                    >
                      Not the same
                    </Button>
                  </>
                )}
              </PairFacts>
            </li>
          ))}
        </ol>
        <div className={classes.survivor}>
          <ClaimText
            claim={survivor}
            segments={shared[at]?.[1] ?? shared[0]?.[1] ?? []}
            into={name}
            livesOn={survivor.id === into}
          />
        </div>
      </div>
    </li>
  )
}

/** The focus follows the selection from card to card; it is never taken from a field, or from a button of the card itself. */
const mayTakeFocus = (card: HTMLElement): boolean => {
  const focused = document.activeElement
  return !card.contains(focused) && (focused === document.body || card.parentElement?.contains(focused) === true)
}

interface PairFactsProps {
  readonly pair: MergePair
  readonly children?: ReactNode
}

/** Why a pair was proposed: scores, the reason and whose it is, and what else was. */
const PairFacts = ({ pair, children }: PairFactsProps) => (
  <Stack gap="xs" mt="sm">
    <Text size="xs" c="dimmed">
      {pair.chance !== null && pair.found_by === null && `${percent(pair.chance)} likely · `}
      {percent(pair.similarity)} alike · <When at={pair.proposed_at} />
    </Text>
    <Text size="sm">
      {pair.found_by !== null && (
        <Text span inherit fw={550}>
          The judge <bdi>{pair.found_by}</bdi> finds them the same:{' '}
        </Text>
      )}
      <bdi style={{ overflowWrap: 'anywhere' }}>{pair.reason}</bdi>
    </Text>
    <RejectedCandidates rejected={pair.others} />
    <Group gap="sm">{children}</Group>
  </Stack>
)

interface ClaimTextProps {
  readonly claim: { readonly reference: string }
  readonly segments: readonly Segment[]
  /** The reference of the claim that lives on. */
  readonly into: string | undefined
  readonly livesOn: boolean
}

/** One side of a pair, and what a merge would make of it. */
const ClaimText = ({ claim, segments, into, livesOn }: ClaimTextProps) => (
  <Stack gap="xs">
    <Group gap="sm">
      <Reference of={claim.reference} />
      {livesOn ? (
        <Badge variant="light" color="teal" tt="none" fw={550}>
          survives
        </Badge>
      ) : (
        <Text size="xs" c="dimmed">
          goes into {into}
        </Text>
      )}
    </Group>
    <MarkedText segments={segments} />
  </Stack>
)
