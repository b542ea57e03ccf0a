import { Badge, Table, Text } from '@mantine/core'
import { language, plural, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { BarChart } from '../../parts/chart/series.tsx'
import { Reference } from '../../parts/inline.tsx'
import { changesOf, EvidenceLink, type Figures, Part, type Times } from './review-parts.tsx'
import classes from './reviews.module.css'

interface Props {
  readonly solutions: Figures['solutions']
  readonly times: Times
}

/** Where the Solutions stood at both ends of the time, which moved, and which are stuck. */
export const SolutionsPart = ({ solutions: { changes, transitions, by_state, stuck }, times }: Props) => {
  if (by_state.length === 0) return <Part title={t('Solutions')} label={t('There was none.')} />
  return (
    <>
      <Part title={t('Solutions')}>
        <div className={classes.beside}>
          <StatesChart states={by_state} />
          <StateTable states={by_state} />
        </div>
        {transitions.length > 0 && (
          <>
            <Text size="sm" mt="md" mb="sm">
              <EvidenceLink to={changesOf('solutions', times)}>
                {plural(changes, '1 was created or moved', '{number} were created or moved')}
              </EvidenceLink>
              {changes > transitions.length && t('; the last {transitions}:', { transitions: transitions.length })}
            </Text>
            <ul className={classes.lines}>
              {transitions.map((move, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a saved review stays so, and a Solution may move twice
                <li key={`${move.reference} ${place}`}>
                  <div className={classes.named}>
                    <Reference of={move.reference} />
                    <bdi>{move.title}</bdi>
                  </div>
                  <span className={classes.end}>
                    {move.from === null ? t('created') : <StateBadge state={move.from} />} →{' '}
                    <StateBadge state={move.to} />
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Part>
      <Part title={t('Solutions that are stuck')} label={stuck.length === 0 && t('None.')}>
        {stuck.length > 0 && (
          <ul className={classes.lines}>
            {stuck.map(({ reference, title, state, days_in_state }) => (
              <li key={reference}>
                <div className={classes.named}>
                  <Reference of={reference} />
                  <bdi>{title}</bdi>
                </div>
                <span className={classes.end}>
                  <StateBadge state={state} />
                  {rich('{days_in_state} days', { days_in_state: <b>{days_in_state.toLocaleString(language)}</b> })}
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
  <Table className={classes.table ?? ''} aria-label={t('Solutions by state')}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('State')}</Table.Th>
        <Table.Th ta="end">{t('At the end')}</Table.Th>
        <Table.Th ta="end">{t('At the start')}</Table.Th>
        <Table.Th ta="end">{t('Stuck')}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {states.map(({ state, solutions, previous_solutions, stuck }) => (
        <Table.Tr key={state}>
          <Table.Td>
            <StateBadge state={state} />
          </Table.Td>
          <Table.Td ta="end" fw={600}>
            <EvidenceLink to={`/app/board?state=${encodeURIComponent(state)}`}>
              {solutions.toLocaleString(language)}
            </EvidenceLink>
          </Table.Td>
          <Table.Td ta="end" c="dimmed">
            {previous_solutions?.toLocaleString(language) ?? '–'}
          </Table.Td>
          <Table.Td ta="end">{stuck === 0 ? '–' : stuck.toLocaleString(language)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

interface StatesChartProps {
  readonly states: Figures['solutions']['by_state']
}

/** The Solutions of each state at the end of a time, beside those at its beginning. */
const StatesChart = ({ states }: StatesChartProps) => {
  const compares = states.some(({ previous_solutions }) => previous_solutions !== undefined)
  return (
    <figure aria-label={t('Chart: Solutions by state. The table has the same figures.')} className={classes.chart}>
      <BarChart
        data={states.map(({ state, solutions, previous_solutions }) => ({
          at: word(state),
          solutions,
          previous_solutions,
        }))}
        series={[
          ...(compares ? [{ name: 'previous_solutions', label: t('At the start'), color: 'gray.5' }] : []),
          { name: 'solutions', label: t('At the end'), color: 'accent.5' },
        ]}
        format={value => value.toLocaleString(language)}
      />
    </figure>
  )
}

const COLORS = { met: 'teal', partly: 'yellow', missed: 'red', unclear: 'gray' } as const

interface OutcomesPartProps {
  readonly outcomes: Figures['outcomes']
  readonly times: Times
}

/** What came of what was done. */
export const OutcomesPart = ({ outcomes: { count, items }, times }: OutcomesPartProps) => (
  <Part
    title={t('Outcomes')}
    label={
      count === 0 ? (
        t('None was recorded.')
      ) : count > items.length ? (
        <EvidenceLink to={changesOf('outcomes', times)}>
          {t('The last {items} of {count}', { items: items.length, count: count.toLocaleString(language) })}
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
              <Text size="sm" c="dimmed" dir="auto" className="anywhere">
                {observation}
              </Text>
            </div>
            <span className={classes.end}>
              <Badge variant="light" color={COLORS[verdict]} tt="none" fw={550} size="md">
                {word(verdict)}
              </Badge>
            </span>
          </li>
        ))}
      </ul>
    )}
  </Part>
)
