import { Text } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { Reference } from '../reference.tsx'
import { DecidedBy } from './decided-by.tsx'
import classes from './decision-list.module.css'

type Decision = Output<'lookup_decision'>['items'][number]

interface Props {
  readonly decisions: readonly Decision[]
}

/** Decisions in short: what was decided, by whom and through what. */
export const DecisionList = ({ decisions }: Props) => (
  <ol className={classes.list}>
    {decisions.map(decision => (
      <li key={decision.reference} className={classes.decision}>
        <Text size="sm" component="div" lineClamp={3} className={classes.text}>
          <Reference of={decision.reference} /> <bdi>{decision.text}</bdi>
        </Text>
        <DecidedBy decision={decision} />
      </li>
    ))}
  </ol>
)
