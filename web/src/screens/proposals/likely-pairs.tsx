import { Button, Checkbox, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { MAX_PROPOSALS } from '../../../../schemas/domain/limits.ts'
import { counted, t } from '../../language/messages.ts'
import { TellingButton } from '../../parts/controls.tsx'
import { MarkedText } from '../../parts/evidence/marked-text.tsx'
import { matching } from '../../parts/evidence/matching.ts'
import { percent } from '../../parts/formats.ts'
import { ErrorState } from '../../parts/states.tsx'
import { isAbove, type Likely, type Pair } from './likely.ts'
import classes from './likely-pairs.module.css'
import type { Merges } from './use-merges.ts'

interface Props extends Likely {
  readonly merges: Merges
  readonly onClose: () => void
}

/** The pairs above a chance that can be chosen, each ticked until somebody unticks it. */
export const LikelyPairs = ({ pairs, bars, usual, merges, onClose }: Props) => {
  const [bar, setBar] = useState(usual)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const above = pairs.filter(isAbove(bar)).slice(0, MAX_PROPOSALS)
  const ticked = above.filter(({ id }) => !left.has(id))
  const expected = ticked.reduce((sum, { chance, found_by }) => sum + (found_by === null ? (chance ?? 0) : 1), 0)
  const toggle = (id: string) => {
    const now = new Set(left)
    if (!now.delete(id)) now.add(id)
    setLeft(now)
  }
  const merge = async () => {
    setBusy(true)
    setError(null)
    try {
      const ids = ticked.map(({ id }) => id)
      await merges.mergeAll(
        ids,
        t('{pairs} above {bar} merged.', { pairs: counted(ids.length, 'pair'), bar: percent(bar) }),
      )
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Stack gap="md">
      <Group gap="md">
        <SegmentedControl
          size="xs"
          aria-label={t('From which chance on')}
          value={String(bar)}
          onChange={value => setBar(Number(value))}
          data={bars.map(value => ({ value: String(value), label: percent(value) }))}
        />
        <Text size="sm" role="status">
          {above.length === MAX_PROPOSALS
            ? t('{pairs} above {bar} (as many as one decision takes): by their chances about {round} are right.', {
                pairs: counted(ticked.length, 'pair'),
                bar: percent(bar),
                round: Math.round(expected),
              })
            : t('{pairs} above {bar}: by their chances about {round} are right.', {
                pairs: counted(ticked.length, 'pair'),
                bar: percent(bar),
                round: Math.round(expected),
              })}
        </Text>
      </Group>
      <Stack
        component="ol"
        gap={0}
        m={0}
        p={0}
        className={classes.list}
        aria-label={t('What will be merged')}
        tabIndex={0}
      >
        {above.map(pair => (
          <LikelyPair key={pair.id} pair={pair} ticked={!left.has(pair.id)} onToggle={() => toggle(pair.id)} />
        ))}
      </Stack>
      {error !== null && <ErrorState error={error} title={t('Nothing was merged')} />}
      <Group justify="space-between" gap="sm">
        <Text size="xs" c="dimmed">
          {t('It is one decision, and Undo takes back all of it. Of two claims, the older one stays.')}
        </Text>
        <Group gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <TellingButton
            loading={busy}
            missing={ticked.length === 0 ? t('Tick what is to be merged.') : null}
            onClick={merge}
          >
            {t('Merge {pairs}', { pairs: counted(ticked.length, 'pair') })}
          </TellingButton>
        </Group>
      </Group>
    </Stack>
  )
}

interface LikelyPairProps {
  readonly pair: Pair
  readonly ticked: boolean
  readonly onToggle: () => void
}

const LikelyPair = ({ pair: { claim, beside, chance, found_by }, ticked, onToggle }: LikelyPairProps) => {
  const [left, right] = useMemo(() => matching(claim.text, beside.text), [claim.text, beside.text])
  return (
    <li className={classes.pair}>
      <Checkbox
        size="xs"
        mb="xs"
        checked={ticked}
        onChange={onToggle}
        label={
          found_by === null
            ? t('{reference} and {reference2}, {chance} likely', {
                reference: claim.reference,
                reference2: beside.reference,
                chance: percent(chance),
              })
            : t('{reference} and {reference2}, found by the judge', {
                reference: claim.reference,
                reference2: beside.reference,
              })
        }
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="xs" className={classes.words}>
        <MarkedText segments={left} />
        <MarkedText segments={right} />
      </SimpleGrid>
    </li>
  )
}
