import { Text, Title } from '@mantine/core'
import { type Output, useOperationPages } from '../../api/operations.ts'
import { fromStored, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Reference, When } from '../inline.tsx'
import { MoreButton } from '../lists.tsx'
import { ErrorState, LoadingState } from '../states.tsx'
import classes from './decisions.module.css'

interface Props {
  readonly decision: Output<'lookup_decision'>['items'][number]
}

/** Person, way and time of a Decision, and its reversal. */
export const DecidedBy = ({
  decision: {
    made_by,
    via: through,
    key_label,
    made_at,
    carried_out_by,
    reversed_by,
    reversed_by_name,
    reversed_at,
    reverses,
  },
}: Props) => (
  <Text size="xs" c="dimmed" component="div">
    <bdi>{made_by}</bdi>
    {through === 'app' ? (
      ` ${t('in the app')}`
    ) : (
      <> {rich('through the key {key_label}', { key_label: <bdi>{key_label}</bdi> })}</>
    )}
    , <When at={made_at} />
    {carried_out_by !== null &&
      rich(', carried out by {carried_out_by}', { carried_out_by: <bdi>{carried_out_by}</bdi> })}
    {reverses !== null && <>{rich(', reverses {reference}', { reference: <Reference of={reverses} /> })}</>}
    {reversed_by !== null && (
      <Text size="xs" fw={600} c="var(--mantine-color-text)" component="div">
        {rich('Reversed by {name}, {when} ({reference})', {
          name: <bdi>{reversed_by_name}</bdi>,
          when: reversed_at === null ? null : <When at={reversed_at} />,
          reference: <Reference of={reversed_by} />,
        })}
      </Text>
    )}
  </Text>
)

type Decision = Output<'lookup_decision'>['items'][number]

/** A Decision, where the list has it with the titles of what it is about. */
interface Listed extends Decision {
  readonly named?: Output<'list_decisions'>['items'][number]['named']
}

interface DecisionListProps {
  readonly decisions: readonly Listed[]
}

/** Decisions in short: statement, person and way. */
export const DecisionList = ({ decisions }: DecisionListProps) => (
  <ol className="plain">
    {decisions.map(decision => (
      <li key={decision.reference} className={classes.decision}>
        <Text size="sm" component="div" lineClamp={3} className="anywhere">
          <Reference of={decision.reference} about={fromStored(decision.text)} /> <bdi>{fromStored(decision.text)}</bdi>
        </Text>
        {decision.named?.map(({ reference, title }) => (
          <Text key={reference} size="xs" component="div" truncate>
            <Reference of={reference} /> <bdi>{title}</bdi>
          </Text>
        ))}
        <DecidedBy decision={decision} />
      </li>
    ))}
  </ol>
)

interface HistoryProps {
  /** Reference of the object. */
  readonly about: string
}

/** Decisions about an object, newest first. */
export const History = ({ about }: HistoryProps) => {
  const query = useOperationPages('lookup_decision', { about, limit: 10 })
  const { items, first, error } = query
  return (
    <section aria-labelledby="history">
      <Title order={2} id="history" mb="sm">
        {t('Decisions')}
      </Title>
      {first === undefined &&
        (error === null ? <LoadingState rows={2} height={40} /> : <ErrorState error={error} retry={query.refetch} />)}
      {first !== undefined && items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('There is no Decision about it yet.')}
        </Text>
      )}
      <DecisionList decisions={items} />
      <MoreButton query={query} />
    </section>
  )
}
