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

/** Who decided, through what, and when; and whether it was taken back. */
export const DecidedBy = ({
  decision: { made_by, via: through, key_label, made_at, carried_out_by, reversed_by, reverses },
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
    {reversed_by !== null && <>{rich(', reversed by {reference}', { reference: <Reference of={reversed_by} /> })}</>}
    {reverses !== null && <>{rich(', reverses {reference}', { reference: <Reference of={reverses} /> })}</>}
  </Text>
)

type Decision = Output<'lookup_decision'>['items'][number]

interface DecisionListProps {
  readonly decisions: readonly Decision[]
}

/** Decisions in short: what was decided, by whom and through what. */
export const DecisionList = ({ decisions }: DecisionListProps) => (
  <ol className="plain">
    {decisions.map(decision => (
      <li key={decision.reference} className={classes.decision}>
        <Text size="sm" component="div" lineClamp={3} className="anywhere">
          <Reference of={decision.reference} /> <bdi>{fromStored(decision.text)}</bdi>
        </Text>
        <DecidedBy decision={decision} />
      </li>
    ))}
  </ol>
)

interface HistoryProps {
  /** A reference: whose Decisions are listed. */
  readonly about: string
}

/** What was decided about something, the newest first. */
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
          {t('Nobody decided anything about it.')}
        </Text>
      )}
      <DecisionList decisions={items} />
      <MoreButton query={query} />
    </section>
  )
}
