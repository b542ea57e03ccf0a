import { SimpleGrid } from '@mantine/core'
import { Figure } from '../../parts/figure.tsx'
import { changeOf } from '../explore/figures.ts'
import { EvidenceLink } from './evidence-link.tsx'
import { changesOf, signalsOf } from './evidence-links.ts'
import type { Figures, Times } from './review.ts'
import classes from './reviews.module.css'

interface Props {
  readonly figures: Figures
  readonly times: Times
}

/** What a time comes to, in six numbers beside those of the time before. */
export const KeyFigures = ({ figures: { signals, claims, solutions, outcomes, ...rest }, times }: Props) => {
  const shown = [
    { label: 'Signals', value: signals.count, before: signals.count_before, to: signalsOf(times) },
    {
      label: 'New claims',
      value: claims.appeared,
      before: claims.appeared_before,
      to: changesOf('claims_appeared', times),
    },
    { label: 'Merges', value: claims.merged, before: claims.merged_before, to: changesOf('merges', times) },
    {
      label: 'Solutions moved',
      value: solutions.changes,
      before: solutions.changes_before,
      to: changesOf('solutions', times),
    },
    { label: 'Decisions', value: rest.decisions, before: rest.decisions_before, to: changesOf('decisions', times) },
    { label: 'Outcomes', value: outcomes.count, before: outcomes.count_before, to: changesOf('outcomes', times) },
  ]
  return (
    <SimpleGrid component="dl" cols={{ base: 2, xs: 3, sm: 6 }} spacing="lg" m={0} className={classes.figures ?? ''}>
      {shown.map(({ label, value, before, to }) => (
        <Figure
          key={label}
          label={label}
          value={<EvidenceLink to={to}>{value.toLocaleString('en')}</EvidenceLink>}
          about={before === undefined ? undefined : beforeSaid(value, before)}
        />
      ))}
    </SimpleGrid>
  )
}

/** Below it a percentage says more than there is to say. */
const ENOUGH_TO_COMPARE = 10

const beforeSaid = (value: number, before: number): string => {
  const change = before < ENOUGH_TO_COMPARE ? null : changeOf(value, before)
  return `${before.toLocaleString('en')} before${change === null || value === before ? '' : `, ${change}`}`
}
