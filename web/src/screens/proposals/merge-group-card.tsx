import { Button, Checkbox, Group, Kbd, Stack, Text } from '@mantine/core'
import { IconArrowsExchange, IconCheck, IconPlayerTrackNext, IconX } from '@tabler/icons-react'
import { useId, useMemo, useState } from 'react'
import { counted, plural, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { loadPart } from '../../load-part.ts'
import { isFirstClick, TellingButton } from '../../parts/controls.tsx'
import { matching } from '../../parts/evidence/matching.ts'
import { later } from '../../parts/later.tsx'
import type { MergeGroup } from './likely.ts'
import classes from './merge-group-card.module.css'
import { ClaimSide, Likely, PairFacts } from './pair.tsx'
import { besideOf, claimsOf, isLikely, type Merges } from './use-merges.ts'

const DecidedGroup = later(
  loadPart(() => import('./decided-group.tsx')),
  decided => decided.DecidedGroup,
)

interface Props {
  readonly group: MergeGroup
  readonly merges: Merges
  readonly canDecide: boolean
  /** Names that tell no two texts apart. */
  readonly common: ReadonlySet<string>
  readonly selected: boolean
  /** Which of its pairs the keys are at. */
  readonly at: number
  /** How many pairs came since it is worked on: they are shown when they are asked for. */
  readonly news: number
  /** Shows the group as it is by now. */
  readonly onNews: () => void
  readonly onSelect: () => void
  readonly onSkip: () => void
}

/**
 * Claims on the left, and on the right the one that the looked-at one may be the same as, marked with what the two
 * share.
 */
export const MergeGroupCard = (props: Props) => {
  const { group, merges, canDecide, common, selected, at, news, onNews, onSelect, onSkip } = props
  const { survivor, pairs } = group
  const [pointed, setPointed] = useState<number | null>(null)
  const question = useId()
  const besides = useMemo(() => pairs.map(pair => besideOf({ survivor, pairs }, pair)), [pairs, survivor])
  const shared = useMemo(
    () => pairs.map(({ claim }, position) => matching(claim.text, (besides[position] ?? survivor).text, common)),
    [pairs, survivor, besides, common],
  )
  const into = merges.livesOn(group)
  const name = claimsOf(group).find(({ id }) => id === into)?.reference
  const several = pairs.length > 1
  const all = pairs.length + 1
  const many = merges.manyIn(group)
  const looked = pointed ?? (selected ? at : 0)
  const lookedPair = pairs[looked] ?? pairs[0]
  const beside = besides[looked] ?? survivor
  const decidedOn = (claim: MergeGroup['survivor']) =>
    canDecide &&
    several && (
      <Checkbox
        size="xs"
        checked={merges.isIn(group, claim)}
        onChange={() => merges.toggle(group, claim)}
        label={t('Decide on {reference} with the others', { reference: claim.reference })}
        description={
          !isLikely(group, claim) &&
          !merges.isIn(group, claim) &&
          t('Not ticked: it is not likely enough the same as {reference}.', { reference: survivor.reference })
        }
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
      {pairs.length === 0 ? (
        <DecidedGroup reference={survivor.reference} onGoOn={onNews} />
      ) : (
        <>
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
              {lookedPair !== undefined && <Likely pair={lookedPair} named={several} />}
            </Text>
            {news > 0 && (
              <Button size="compact-xs" variant="light" onClick={onNews}>
                {plural(news, 'Show {number} new pair', 'Show {number} new pairs')}
              </Button>
            )}
            {canDecide && (
              <Group gap="xs" className={classes.deciding}>
                <Button
                  size="xs"
                  variant="subtle"
                  color="gray"
                  leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
                  rightSection={selected && <Key of="s" />}
                  aria-description={survivor.reference}
                  onClick={event => isFirstClick(event) && onSkip()}
                >
                  {t('Skip')}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconX size={14} aria-hidden />}
                  rightSection={selected && <Key of="3" />}
                  aria-description={survivor.reference}
                  onClick={event => isFirstClick(event) && merges.refuse(group)}
                >
                  {several && merges.manyRefused(group) === all ? t('None is the same') : t('Not the same')}
                </Button>
                {many < 2 ? (
                  <TellingButton
                    size="xs"
                    variant="default"
                    leftSection={<IconCheck size={14} aria-hidden />}
                    missing={t('Tick the claims that are the same.')}
                  >
                    {t('Merge into {name}', { name })}
                  </TellingButton>
                ) : (
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
                        : t('Merge {many} into {name}', { many: many - 1, name })}
                  </Button>
                )}
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
                    {several && <Text size="xs">{rich('like {reference}', { reference: pair.same_as })}</Text>}
                    {decidedOn(pair.claim)}
                  </PairFacts>
                </li>
              ))}
            </ol>
            <div className={classes.survivor} data-out={!merges.isIn(group, beside) || undefined}>
              <Stack gap="xs" className={classes.beside ?? ''}>
                <ClaimSide claim={beside} segments={shared[looked]?.[1] ?? []} into={name} livesOn={beside.id === into}>
                  {canDecide && (
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="gray"
                      leftSection={<IconArrowsExchange size={14} aria-hidden />}
                      rightSection={selected && <Key of="x" />}
                      aria-description={survivor.reference}
                      onClick={() => merges.swap(group)}
                    >
                      {t('Swap')}
                    </Button>
                  )}
                </ClaimSide>
                {/* Whichever stands beside it: a box that went with it would take the focus along. */}
                {decidedOn(survivor)}
              </Stack>
            </div>
          </div>
        </>
      )}
    </li>
  )
}

/** Which key does the same; of no use where there are none. */
const Key = ({ of }: { readonly of: string }) => (
  <Kbd size="xs" aria-hidden className={classes.key}>
    {of}
  </Kbd>
)
