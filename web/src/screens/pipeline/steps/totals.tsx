import { Anchor, SimpleGrid } from '@mantine/core'
import { Link } from 'react-router'
import { duration } from '../../../parts/duration.ts'
import { Figure } from '../../../parts/figure.tsx'
import { type Lane, laneOf, rate, type StepName, type Watched } from './lane.ts'

interface Props {
  readonly of: Watched
  readonly lane: Lane
  /** This workspace’s dead letters that wait; undefined until they are counted. */
  readonly letters: number | undefined
}

/** The pipeline in five numbers: what comes in, what comes out, and what waits on the way. */
export const Totals = ({ of: { steps, queues }, lane, letters }: Props) => {
  const figures = steps.map(step => ({ step: step.step, ...laneOf(step, lane) }))
  const of = (name: StepName) => figures.find(({ step }) => step === name)
  const waiting = figures.reduce((sum, { waiting }) => sum + (waiting?.lag ?? 0), 0)
  const oldest = figures.flatMap(({ waiting }) => waiting?.oldest_at ?? []).toSorted()[0]
  const retries = queues.filter(({ queue }) => queue.startsWith('retry.')).reduce((sum, { lag }) => sum + lag, 0)
  const stored = of('insert')?.p95_since_receipt_ms ?? null
  return (
    <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: 6 }} spacing="lg" m={0}>
      <Figure label="Coming in" value={rate(of('validate')?.per_second ?? 0)} />
      <Figure label="Stored" value={rate(of('insert')?.per_second ?? 0)} />
      <Figure label="Receipt to stored, p95" value={stored === null ? '–' : duration(stored)} />
      <Figure
        label="Waiting"
        value={waiting}
        about={oldest === undefined ? 'nothing waits' : `oldest ${duration(Date.now() - Date.parse(oldest))}`}
      />
      <Figure label="Retries" value={retries} />
      <Figure
        label="Dead letters"
        value={letters ?? '–'}
        about={
          letters !== undefined &&
          letters > 0 && (
            <Anchor component={Link} to="/app/pipeline/dead-letters" size="xs">
              see them
            </Anchor>
          )
        }
      />
    </SimpleGrid>
  )
}
