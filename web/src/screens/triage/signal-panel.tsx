import { Anchor, Button, Divider, Group, Kbd, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ClassificationBadge } from '../../parts/classification-badge.tsx'
import { useFullSignalText } from '../../parts/full-signal-text.ts'
import { percent } from '../../parts/numbers.ts'
import { Quote } from '../../parts/quote.tsx'
import { Reference } from '../../parts/reference.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { When } from '../../parts/when.tsx'
import type { Action } from './actions.ts'
import type { Signal } from './decision.ts'

const RESTING_MS = 150

interface Props {
  readonly signal: Signal
  /** How many are chosen; the actions are about all of them. */
  readonly chosen: number
  readonly actions: readonly Action[]
}

/** One Signal in full, with what can be done about it. */
export const SignalPanel = ({ signal, chosen, actions }: Props) => {
  const { state, snooze, classification, classification_confidence: confidence, node, claims, occurrences } = signal
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Reference of={signal.reference} />
        <StateBadge state={state} />
        <Text size="xs" c="dimmed">
          <When at={signal.received_at} />
        </Text>
      </Group>
      <Text component="div" size="md">
        <FullText signal={signal} />
      </Text>
      <Actions chosen={chosen} actions={actions} />
      <Divider />
      <dl style={{ display: 'grid', gridTemplateColumns: '6.5rem minmax(0, 1fr)', gap: '0.5rem', margin: 0 }}>
        <Fact label="Classification">
          <Group gap="sm">
            <ClassificationBadge classification={classification} />
            <Score value={confidence} />
          </Group>
        </Fact>
        <Fact label="Node">
          {node === null ? (
            <Nothing>no node is near</Nothing>
          ) : (
            <>
              <bdi>{node.name}</bdi> {node.score !== null && <Score value={node.score} />}
            </>
          )}
        </Fact>
        <Fact label="Claim">
          {claims.length === 0 && <Nothing>none</Nothing>}
          {claims.map(claim => (
            <div key={claim.id}>
              <Reference of={claim.reference} /> <bdi>{claim.title}</bdi>
            </div>
          ))}
        </Fact>
        <Fact label="Repeats">{occurrences === 0 ? <Nothing>none</Nothing> : occurrences.toLocaleString('en')}</Fact>
        {signal.duplicate_of !== null && (
          <Fact label="Duplicate of">
            <Reference of={signal.duplicate_of} />
          </Fact>
        )}
        {snooze !== null && (
          <Fact label={snooze.is_active ? 'Snoozed' : 'Was snoozed'}>
            <Snoozed snooze={snooze} />
          </Fact>
        )}
        <Fact label="Actor">
          {signal.actor_name !== null && <bdi>{signal.actor_name}</bdi>}{' '}
          <Nothing>
            {signal.actor_role}, {signal.signal_origin}
          </Nothing>
        </Fact>
        <Fact label="Source">
          <bdi>{signal.source ?? signal.channel}</bdi>
          <Permalink of={signal.source_url} />
        </Fact>
      </dl>
    </Stack>
  )
}

/** The list has its beginning; the rest is read when somebody rests on it. */
const FullText = ({ signal: { id, text, text_truncation } }: Pick<Props, 'signal'>) => {
  const [resting] = useDebouncedValue(id, RESTING_MS)
  const isWanted = text_truncation !== null && resting === id
  const fullText = useFullSignalText(id, isWanted)
  return <Quote key={id} text={fullText ?? (text_truncation === null ? text : `${text}…`)} />
}

const Actions = ({ chosen, actions }: Pick<Props, 'chosen' | 'actions'>) => {
  if (actions.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        You may look at this workspace. Its members decide.
      </Text>
    )
  }
  return (
    <div>
      {chosen > 1 && (
        <Title order={2} size="h3" mb="sm">
          {chosen} signals
        </Title>
      )}
      <Group gap="xs">
        {actions
          .filter(({ fits }) => fits)
          .map(({ name, key, run }) => (
            <Button
              key={name}
              size="compact-sm"
              variant={key === '1' ? 'filled' : 'default'}
              fw={500}
              onClick={run}
              rightSection={
                <Kbd size="xs" aria-hidden>
                  {key}
                </Kbd>
              }
            >
              {name}
            </Button>
          ))}
      </Group>
    </div>
  )
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <Text component="dt" size="sm" c="dimmed">
      {label}
    </Text>
    <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </>
)

const Nothing = ({ children }: { readonly children: ReactNode }) => (
  <Text component="span" size="sm" c="dimmed">
    {children}
  </Text>
)

const Score = ({ value }: { readonly value: number }) => (
  <Text component="span" size="sm" c="dimmed">
    {percent(value)}
  </Text>
)

const Snoozed = ({ snooze }: { readonly snooze: NonNullable<Signal['snooze']> }) => (
  <>
    {snooze.until !== null
      ? `until ${new Date(snooze.until).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}`
      : `until ${snooze.until_signals} say it; ${snooze.signals} do`}
    {', by '}
    <bdi>{snooze.snoozed_by}</bdi>
  </>
)

/** Links lead to the web alone, whatever a sender’s address says. */
const Permalink = ({ of }: { readonly of: string | null }) => {
  if (of === null) return null
  const address = webAddress(of)
  if (address === null) {
    return (
      <div>
        <bdi>{of}</bdi>
      </div>
    )
  }
  return (
    <div>
      <Anchor href={address.href} target="_blank" rel="noopener noreferrer" size="sm">
        <bdi>{address.host}</bdi> <IconExternalLink size={12} aria-hidden />
      </Anchor>
    </div>
  )
}

/** An address that a link may lead to; null for one that is none of the web, such as a script. */
const webAddress = (given: string): URL | null => {
  if (!URL.canParse(given)) return null
  const address = new URL(given)
  return address.protocol === 'https:' || address.protocol === 'http:' ? address : null
}
