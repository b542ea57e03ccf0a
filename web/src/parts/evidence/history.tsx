import { Text, Title } from '@mantine/core'
import { useOperationPages } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { ErrorState } from '../error-state.tsx'
import { LoadingState } from '../loading-state.tsx'
import { DecisionList } from './decision-list.tsx'
import { MoreButton } from './more-button.tsx'

interface Props {
  /** A reference: whose Decisions are listed. */
  readonly about: string
}

/** What was decided about something, the newest first. */
export const History = ({ about }: Props) => {
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
