import { Badge, Text } from '@mantine/core'
import { Reference } from '../../parts/reference.tsx'
import { EvidenceLink } from './evidence-link.tsx'
import { changesOf } from './evidence-links.ts'
import { Part } from './part.tsx'
import type { Figures, Times } from './review.ts'
import classes from './reviews.module.css'

const COLORS = { met: 'teal', partly: 'yellow', missed: 'red', unclear: 'gray' } as const

interface Props {
  readonly outcomes: Figures['outcomes']
  readonly times: Times
}

/** What came of what was done. */
export const OutcomesPart = ({ outcomes: { count, items }, times }: Props) => (
  <Part
    title="Outcomes"
    label={
      count === 0 ? (
        'None was recorded.'
      ) : count > items.length ? (
        <EvidenceLink to={changesOf('outcomes', times)}>
          The last {items.length} of {count.toLocaleString('en')}
        </EvidenceLink>
      ) : undefined
    }
  >
    {items.length > 0 && (
      <ul className={classes.lines}>
        {items.map(({ reference, title, verdict, observation }) => (
          <li key={reference}>
            <div className={classes.outcome}>
              <div className={classes.named}>
                <Reference of={reference} />
                <bdi>{title}</bdi>
              </div>
              <Text size="sm" c="dimmed" dir="auto" className={classes.anywhere ?? ''}>
                {observation}
              </Text>
            </div>
            <span className={classes.end}>
              <Badge variant="light" color={COLORS[verdict]} tt="none" fw={550} size="md">
                {verdict}
              </Badge>
            </span>
          </li>
        ))}
      </ul>
    )}
  </Part>
)
