import { Button, Divider, Group, Kbd, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { language, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ClassificationBadge, StateBadge } from '../../parts/badges.tsx'
import { isFirstClick } from '../../parts/controls.tsx'
import { useFullSignalText } from '../../parts/evidence/full-signal-text.ts'
import { clip, moment, percent } from '../../parts/formats.ts'
import { Reference } from '../../parts/inline.tsx'
import { whatIsKnown } from '../../parts/perhaps.ts'
import { Quote, SaidBy } from '../../parts/quote.tsx'
import type { Action } from './actions.ts'
import type { Signal } from './decision.ts'
import classes from './triage.module.css'

/** Of what came with it, such as the plan of who said it: all of it is on its page. */
const MAX_VALUE_CHARACTERS = 200

interface Props {
  readonly signal: Signal
  /** How many are chosen; the actions are about all of them. */
  readonly chosen: number
  readonly actions: readonly Action[]
}

/** One Signal in full, the words first, with what can be done about it. */
export const SignalPanel = ({ signal, chosen, actions }: Props) => {
  const { state, snooze, classification, classification_confidence: confidence, node, claims, occurrences } = signal
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Reference of={signal.reference} />
        <StateBadge state={state} />
      </Group>
      <div>
        <Text component="div" size="lg" mb="sm">
          <FullText key={signal.id} signal={signal} />
        </Text>
        <Text component="div" size="sm" className="anywhere">
          <SaidBy of={signal} />
        </Text>
      </div>
      <Actions chosen={chosen} actions={actions} />
      <Divider />
      <dl className={classes.known}>
        <Fact label={t('Classification')}>
          <Group gap="sm">
            <ClassificationBadge classification={classification} />
            <Quiet>
              {classification === 'unclassified'
                ? whatIsKnown(signal)
                : t('{confidence} sure', { confidence: percent(confidence) })}
            </Quiet>
          </Group>
        </Fact>
        <Fact label={t('Node')}>
          {node === null ? (
            <Quiet>{t('no node fits')}</Quiet>
          ) : (
            <>
              <bdi>{node.name}</bdi> {node.score !== null && <Quiet>{percent(node.score)}</Quiet>}
            </>
          )}
        </Fact>
        <Fact label={t('Claim')}>
          {claims.length === 0 && <Quiet>{t('none')}</Quiet>}
          {claims.map(claim => (
            <div key={claim.id}>
              <Reference of={claim.reference} /> <bdi>{claim.title}</bdi>
            </div>
          ))}
        </Fact>
        <Fact label={t('Repeats')}>
          {occurrences === 0 ? <Quiet>{t('none')}</Quiet> : occurrences.toLocaleString(language)}
        </Fact>
        {signal.duplicate_of !== null && (
          <Fact label={t('Repeat of')}>
            <Reference of={signal.duplicate_of} />
          </Fact>
        )}
        {snooze !== null && (
          <Fact label={snooze.is_active ? t('Snoozed') : t('Was snoozed')}>
            <Snoozed snooze={snooze} />
          </Fact>
        )}
        <Fact label={t('Origin')}>{word(signal.signal_origin)}</Fact>
        {Object.entries(signal.metadata ?? {}).map(([name, value]) => (
          <Fact key={name} label={<bdi>{name}</bdi>}>
            <bdi>{clip(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE_CHARACTERS)}</bdi>
          </Fact>
        ))}
      </dl>
    </Stack>
  )
}

/** The list has as much of it as is shown at first; the rest is read when somebody asks for it. */
const FullText = ({ signal: { id, text, text_truncation } }: Pick<Props, 'signal'>) => {
  const [isWanted, setWanted] = useState(false)
  const fullText = useFullSignalText(id, isWanted)
  const rest = text_truncation && { characters: text_truncation.total_characters, read: () => setWanted(true) }
  return fullText === undefined && rest !== null ? (
    <Quote text={`${text}…`} rest={rest} />
  ) : (
    <Quote text={fullText ?? text} />
  )
}

const Actions = ({ chosen, actions }: Pick<Props, 'chosen' | 'actions'>) => {
  if (actions.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        {t('You may look at this workspace. Its members decide.')}
      </Text>
    )
  }
  return (
    <div>
      {chosen > 1 && (
        <Title order={2} size="h3" mb="sm">
          {t('{chosen} signals', { chosen })}
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
              onClick={event => isFirstClick(event) && run()}
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

const Fact = ({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) => (
  <>
    <Text component="dt" size="sm" c="dimmed" className="anywhere">
      {label}
    </Text>
    <Text component="dd" size="sm" m={0} className="anywhere">
      {children}
    </Text>
  </>
)

const Quiet = ({ children }: { readonly children: ReactNode }) => (
  <Text component="span" size="sm" c="dimmed">
    {children}
  </Text>
)

const Snoozed = ({ snooze }: { readonly snooze: NonNullable<Signal['snooze']> }) => (
  <>
    {rich('{what}, by {snoozed_by}', {
      what: [
        ...(snooze.until === null ? [] : [t('until {value}', { value: moment(snooze.until) })]),
        ...(snooze.until_signals === null
          ? []
          : [
              t('until {until_signals} say it; {signals} so far', {
                until_signals: snooze.until_signals,
                signals: snooze.signals,
              }),
            ]),
      ].join(', '),
      snoozed_by: <bdi>{snooze.snoozed_by}</bdi>,
    })}
  </>
)
