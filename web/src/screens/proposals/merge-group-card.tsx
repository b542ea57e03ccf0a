import { Button, Checkbox, Group, Kbd, Text } from '@mantine/core'
import { IconArrowsExchange, IconCheck, IconPlayerTrackNext, IconX } from '@tabler/icons-react'
import { useId, useMemo, useState } from 'react'
import { counted, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { isFirstClick } from '../../parts/controls.tsx'
import { matching } from '../../parts/evidence/matching.ts'
import classes from './merge-group-card.module.css'
import { ClaimSide, Likely, PairFacts } from './pair.tsx'
import { besideOf, claimsOf, type MergeGroup, type Merges } from './use-merges.ts'

interface Props {
  readonly group: MergeGroup
  readonly merges: Merges
  readonly canDecide: boolean
  readonly selected: boolean
  /** Which of its pairs the keys are at. */
  readonly at: number
  readonly onSelect: () => void
  readonly onSkip: () => void
}

/**
 * Claims on the left, and on the right the one that the looked-at one may be the same as, marked with what the two
 * share.
 */
export const MergeGroupCard = ({ group, merges, canDecide, selected, at, onSelect, onSkip }: Props) => {
  const { survivor, pairs } = group
  const [pointed, setPointed] = useState<number | null>(null)
  const question = useId()
  const besides = useMemo(() => pairs.map(pair => besideOf({ survivor, pairs }, pair)), [pairs, survivor])
  const shared = useMemo(
    () => pairs.map(({ claim }, position) => matching(claim.text, (besides[position] ?? survivor).text)),
    [pairs, survivor, besides],
  )
  const into = merges.livesOn(group)
  const name = claimsOf(group).find(({ id }) => id === into)?.reference
  const several = pairs.length > 1
  const all = pairs.length + 1
  const many = merges.manyIn(group)
  const looked = pointed ?? (selected ? at : 0)
  const beside = besides[looked] ?? survivor
  const decidedOn = (claim: MergeGroup['survivor']) =>
    canDecide &&
    several && (
      <Checkbox
        size="xs"
        checked={merges.isIn(group, claim)}
        onChange={() => merges.toggle(group, claim)}
        label={t('Decide on {reference} with the others', { reference: claim.reference })}
      />
    )
  return (
    // It takes the focus so that the keys and a screen reader are where the person is.
    <li
      tabIndex={selected ? 0 : -1}
      aria-current={selected}
      aria-label={t('Merges with {reference}', { reference: survivor.reference })}
      aria-describedby={question}
      data-folded={!selected || undefined}
      data-several={several || undefined}
      className={classes.card}
      onFocus={onSelect}
    >
      <Group className={classes.head} justify="space-between" gap="sm">
        <Text size="sm" fw={550} id={question} className={classes.question}>
          {several
            ? t('{claims} may be one', { claims: counted(all, 'claim') })
            : rich('{what} may be the same as {reference}', {
                what: pairs[0]?.claim.reference,
                reference: survivor.reference,
              })}
          {group.count > pairs.length + group.more_pairs.length &&
            ` ${t('(the best of {count})', { count: group.count })}`}
          {pairs[0] !== undefined && <Likely pair={pairs[0]} />}
        </Text>
        {canDecide && (
          <Group gap="xs" className={classes.deciding}>
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
              rightSection={selected && <Key of="s" />}
              onClick={event => isFirstClick(event) && onSkip()}
            >
              {t('Skip')}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconX size={14} aria-hidden />}
              rightSection={selected && <Key of="3" />}
              onClick={event => isFirstClick(event) && merges.refuse(group)}
            >
              {several && many === all ? t('None is the same') : t('Not the same')}
            </Button>
            <Button
              size="xs"
              variant={selected ? 'filled' : 'light'}
              leftSection={<IconCheck size={14} aria-hidden />}
              rightSection={selected && <Key of="1" />}
              onClick={event => isFirstClick(event) && merges.merge(group)}
            >
              {!several
                ? t('Merge into {name}', { name })
                : many === all
                  ? t('Merge all {many} into {name}', { many: many - 1, name })
                  : t('Merge {many} into {name}', { many: Math.max(0, many - 1), name })}
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
              data-at={(several && selected && position === at) || undefined}
              data-folded={(several && selected && position !== at) || undefined}
              data-out={!merges.isIn(group, pair.claim) || undefined}
              onMouseEnter={() => setPointed(position)}
              onMouseLeave={() => setPointed(null)}
              onFocus={() => setPointed(position)}
              onBlur={() => setPointed(null)}
            >
              <ClaimSide
                claim={pair.claim}
                segments={shared[position]?.[0] ?? []}
                into={name}
                livesOn={pair.claim.id === into}
              />
              <PairFacts pair={pair} beside={besides[position]?.reference ?? ''} sides={shared[position]}>
                {several && (
                  <Text size="xs">
                    {rich('like {reference}', { reference: pair.same_as })}
                    <Likely pair={pair} />
                  </Text>
                )}
                {decidedOn(pair.claim)}
              </PairFacts>
            </li>
          ))}
        </ol>
        <div className={classes.survivor} data-out={!merges.isIn(group, beside) || undefined}>
          <ClaimSide claim={beside} segments={shared[looked]?.[1] ?? []} into={name} livesOn={beside.id === into}>
            {canDecide && (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                leftSection={<IconArrowsExchange size={14} aria-hidden />}
                rightSection={selected && <Key of="x" />}
                onClick={() => merges.swap(group)}
              >
                {t('Swap')}
              </Button>
            )}
          </ClaimSide>
          {beside === survivor && decidedOn(survivor)}
        </div>
      </div>
    </li>
  )
}

/** Which key does the same; of no use where there are none. */
const Key = ({ of }: { readonly of: string }) => (
  <Kbd size="xs" aria-hidden className={classes.key}>
    {of}
  </Kbd>
)
