import { Anchor, Button, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useRole } from '../../api/use-role.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { DecidedBy } from '../../parts/evidence/decided-by.tsx'
import { MoreButton } from '../../parts/evidence/more-button.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Quote } from '../../parts/quote.tsx'
import { ChangeList } from './change-list.tsx'
import { useDecision } from './use-decision.ts'
import { useReversal } from './use-reversal.ts'

interface Props {
  readonly id: string
}

/** One Decision: its words, whose it is and through what, what it changed, and taking that back. */
export const DecisionPage = ({ id }: Props) => {
  const query = useDecision(id)
  const { decision, changes, count, error } = query
  const role = useRole()
  const reversal = useReversal(id, changes)
  const mayReverse = role === 'owner' || role === 'member'
  return (
    <Page width="reading">
      <Text size="sm" mb="xs">
        <Anchor component={Link} to="/app/decisions" inherit>
          Decisions
        </Anchor>
      </Text>
      <PageHeader title={decision?.reference ?? id} about={decision && <DecidedBy decision={decision} />}>
        {mayReverse && decision?.reversed_by === null && reversal.reverse !== null && (
          <Button size="xs" variant="default" disabled={reversal.busy} onClick={reversal.reverse}>
            Reverse
          </Button>
        )}
      </PageHeader>
      {decision === undefined &&
        (error === null ? <LoadingState rows={4} height={44} /> : <ErrorState error={error} retry={query.refetch} />)}
      {decision !== undefined && (
        <>
          <Quote text={decision.text} most={4000} />
          <Title order={2} mt="lg" mb="sm">
            What it changed{' '}
            <Text span inherit c="dimmed" fw={400}>
              {count.toLocaleString('en')}
            </Text>
          </Title>
          <ChangeList changes={changes} />
          <MoreButton query={query} />
        </>
      )}
    </Page>
  )
}
