import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { ClassificationBadge, StateBadge } from '../../parts/badges.tsx'
import { Reference, When } from '../../parts/inline.tsx'
import { Quote } from '../../parts/quote.tsx'
import classes from './node.module.css'
import { useNode } from './use-node.ts'

type Node = Output<'lookup_node'>
const SHOWN_OF_A_SIGNAL = 240

interface Props {
  readonly id: string
  readonly of: ReturnType<typeof useNode>
}

/**
 * What senders said about a node and what is below it: the claims that it became, and the Signals, the newest first.
 */
export const NodeEvidence = ({ id, of: { first, signals, hasNextPage, isFetchingNextPage, fetchNextPage } }: Props) => (
  <>
    {first !== undefined && first.claims.count > 0 && <NodeClaims id={id} some={first.claims} />}
    <Title order={3} mt="lg" mb="xs">
      {t('Signals')} <Count of={first?.signals.count ?? 0} />
    </Title>
    {signals.length === 0 && (
      <Text size="sm" c="dimmed">
        {t(
          'No signal is anchored here yet. A signal is anchored to the node whose texts are nearest to its meaning: a description and examples help.',
        )}
      </Text>
    )}
    <Stack component="ul" gap={0} m={0} p={0} className={classes.list ?? ''}>
      {signals.map(signal => (
        <li key={signal.reference} className={classes.item}>
          <Group gap="xs" mb={2}>
            <Reference of={signal.reference} />
            <ClassificationBadge classification={signal.classification} />
            <StateBadge state={signal.state} />
            <Text size="xs" c="dimmed" ms="auto">
              <bdi>{signal.source}</bdi> · <When at={signal.occurred_at} received={signal.received_at} />
            </Text>
          </Group>
          <Text component="div" size="sm">
            <Quote text={signal.text} lead={signal.lead} most={SHOWN_OF_A_SIGNAL} />
          </Text>
        </li>
      ))}
    </Stack>
    {hasNextPage && (
      <Button size="xs" variant="default" mt="sm" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {t('Show more')}
      </Button>
    )}
  </>
)

const NodeClaims = ({ id, some }: { readonly id: string; readonly some: Node['claims'] }) => {
  const [all, setAll] = useState(false)
  const { claims, isFetching, hasNextPage, fetchNextPage } = useNode(id, 'claims', all)
  const shown = all && claims.length > 0 ? claims : some.items
  return (
    <>
      <Title order={3} mt="lg" mb="xs">
        {t('Claims')} <Count of={some.count} />
      </Title>
      <Stack component="ul" gap={0} m={0} p={0} className={classes.list ?? ''}>
        {shown.map(claim => (
          <li key={claim.id} className={classes.item}>
            <Group gap="sm" wrap="nowrap" align="baseline">
              <Reference of={claim.reference} />
              <Text component="bdi" size="sm" flex={1} className="anywhere">
                {claim.title}
              </Text>
              <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                {counted(claim.signals, 'signal')}
              </Text>
            </Group>
          </li>
        ))}
      </Stack>
      {shown.length < some.count && (
        <Button
          size="xs"
          variant="default"
          mt="sm"
          loading={isFetching}
          onClick={() => (all && hasNextPage ? fetchNextPage() : setAll(true))}
        >
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

const Count = ({ of }: { readonly of: number }) => (
  <Text span size="sm" c="dimmed" fw={400}>
    {of.toLocaleString(language)}
  </Text>
)
