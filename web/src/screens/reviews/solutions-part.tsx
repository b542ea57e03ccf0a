import { Skeleton, Table, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { loadPart } from '../../load-part.ts'
import { Reference } from '../../parts/reference.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { EvidenceLink } from './evidence-link.tsx'
import { changesOf } from './evidence-links.ts'
import { Part } from './part.tsx'
import type { Figures, Times } from './review.ts'
import classes from './reviews.module.css'

const StatesChart = lazy(loadPart(() => import('./states-chart.tsx')))
const CHART_HEIGHT = 240

interface Props {
  readonly solutions: Figures['solutions']
  readonly times: Times
}

/** Where the Solutions stood at both ends of the time, which moved, and which are stuck. */
export const SolutionsPart = ({ solutions: { changes, transitions, by_state, stuck }, times }: Props) => {
  if (by_state.length === 0) return <Part title="Solutions" label="There was none." />
  return (
    <>
      <Part title="Solutions">
        <div className={classes.beside}>
          <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
            <StatesChart states={by_state} height={CHART_HEIGHT} />
          </Suspense>
          <StateTable states={by_state} />
        </div>
        {transitions.length > 0 && (
          <>
            <Text size="sm" mt="md" mb="sm">
              <EvidenceLink to={changesOf('solutions', times)}>
                {changes === 1 ? '1 was created or moved' : `${changes.toLocaleString('en')} were created or moved`}
              </EvidenceLink>
              {changes > transitions.length && `; the last ${transitions.length}:`}
            </Text>
            <ul className={classes.lines}>
              {transitions.map((move, place) => (
                // A saved review stays in its order for ever, and a Solution may move twice.
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <li key={`${move.reference} ${place}`}>
                  <div className={classes.named}>
                    <Reference of={move.reference} />
                    <bdi>{move.title}</bdi>
                  </div>
                  <span className={classes.end}>
                    {move.from === null ? 'created' : <StateBadge state={move.from} />} → <StateBadge state={move.to} />
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Part>
      <Part title="Solutions that are stuck" label={stuck.length === 0 && 'None.'}>
        {stuck.length > 0 && (
          <ul className={classes.lines}>
            {stuck.map(({ reference, title, state, days_in_state }) => (
              <li key={reference}>
                <div className={classes.named}>
                  <Reference of={reference} />
                  <bdi>{title}</bdi>
                </div>
                <span className={classes.end}>
                  <StateBadge state={state} /> <b>{days_in_state.toLocaleString('en')}</b> days
                </span>
              </li>
            ))}
          </ul>
        )}
      </Part>
    </>
  )
}

interface StateTableProps {
  readonly states: Figures['solutions']['by_state']
}

/** How many Solutions were in each state at the end of the time, and at its beginning. */
const StateTable = ({ states }: StateTableProps) => (
  <Table className={classes.table ?? ''} aria-label="Solutions by state">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>State</Table.Th>
        <Table.Th ta="right">At the end</Table.Th>
        <Table.Th ta="right">At the start</Table.Th>
        <Table.Th ta="right">Stuck</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {states.map(({ state, solutions, previous_solutions, stuck }) => (
        <Table.Tr key={state}>
          <Table.Td>
            <StateBadge state={state} />
          </Table.Td>
          <Table.Td ta="right" fw={600}>
            <EvidenceLink to={`/app/board?state=${encodeURIComponent(state)}`}>
              {solutions.toLocaleString('en')}
            </EvidenceLink>
          </Table.Td>
          <Table.Td ta="right" c="dimmed">
            {previous_solutions?.toLocaleString('en') ?? '–'}
          </Table.Td>
          <Table.Td ta="right">{stuck === 0 ? '–' : stuck.toLocaleString('en')}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
