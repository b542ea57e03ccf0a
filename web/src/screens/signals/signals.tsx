import { Alert, Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import { type Output, useOperation, useRole } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ClassificationBadge, StateBadge } from '../../parts/badges.tsx'
import { Discussion } from '../../parts/discussion/discussion.tsx'
import { History } from '../../parts/evidence/decisions.tsx'
import { useFullSignalText } from '../../parts/evidence/full-signal-text.ts'
import { Repeats } from '../../parts/evidence/repeats.tsx'
import { clip, percent } from '../../parts/formats.ts'
import { Reference } from '../../parts/inline.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { whatIsKnown } from '../../parts/perhaps.ts'
import { Quote, SaidBy } from '../../parts/quote.tsx'
import { EmptyState, ErrorState, LoadingState, Together } from '../../parts/states.tsx'
import { Cuts } from './cuts.tsx'
import { SignalActions } from './signal-actions.tsx'
import { type Signal, SignalFacts, SignalWay } from './signal-facts.tsx'
import classes from './signals.module.css'

/** `/app/signals/SIG-1`, by reference or by the id that a sender was answered. The list of signals is Triage. */
const Signals = () => {
  const { '*': id = '' } = useParams()
  if (id !== '') return <SignalPage key={id} id={id} />
  return (
    <EmptyState icon={IconInbox} title={t('Find a signal')} heading="h1">
      <title>{t('Find a signal · Assay')}</title>
      {rich(
        '<link>Triage</link> lists them. A reference such as SIG-7, typed into the command palette, leads straight to one.',
        {
          link: inner => (
            <Anchor component={Link} to="/app/triage" inherit underline="always">
              {inner}
            </Anchor>
          ),
        },
      )}
    </EmptyState>
  )
}

export default Signals

interface SignalPageProps {
  readonly id: string
}

const ON_ITS_WAY_MS = 2000

/**
 * One signal: the words first, then what can be done, what they are evidence of and who repeated them; the pipeline’s
 * part is folded.
 */
const SignalPage = ({ id }: SignalPageProps) => {
  const [waits, setWaits] = useState(false)
  const input = { id, depth: 'full' } as const
  const { data, error, refetch } = useOperation('lookup_signal', input, waits ? { refresh_ms: ON_ITS_WAY_MS } : {})
  useEffect(() => setWaits(data?.status === 'in_pipeline'), [data?.status])
  const role = useRole()
  const fullText = useFullSignalText(data?.signal?.id ?? id, data?.signal?.text_truncation != null)
  const fullRepeat = useFullSignalText(data?.duplicate?.id ?? id, data?.duplicate?.text_truncation != null)
  if (data === undefined) {
    return (
      <Page>
        <PageHeader title={id} />
        {error === null ? <LoadingState rows={6} height={48} /> : <ErrorState error={error} retry={refetch} />}
      </Page>
    )
  }
  const { signal, status, message, duplicate, step } = data
  const canEdit = role === 'owner' || role === 'member'
  return (
    <Page>
      <Group gap="sm" mb="md">
        <title>
          {t('{what} · Assay', { what: signal === null ? id : `${signal.reference} ${clip(signal.text, 60)}` })}
        </title>
        <Title order={1} size="h3">
          <bdi>{signal?.reference ?? id}</bdi>
        </Title>
        {signal !== null && (
          <>
            <StateBadge state={signal.state} />
            <ClassificationBadge classification={signal.classification} />
            <Text size="xs" c="dimmed">
              {signal.classification === 'unclassified'
                ? whatIsKnown(signal)
                : t('{confidence} sure', { confidence: percent(signal.classification_confidence) })}
            </Text>
          </>
        )}
      </Group>
      {status !== 'inserted' && (
        <Alert variant="light" color={status === 'dead' ? 'red' : 'gray'} mb="md" role="status">
          <bdi>{message}</bdi>
          {duplicate != null && duplicate.text !== null && <Quote text={fullRepeat ?? duplicate.text} most={4000} />}
          {duplicate != null && <Cuts id={duplicate.id} of={duplicate.cuts} />}
        </Alert>
      )}
      {signal !== null && (
        <>
          <Words signal={signal} text={fullText ?? signal.text} />
          {duplicate === null && <Cuts id={signal.id} of={signal.cuts} />}
          {canEdit && (
            <Group gap="sm" mb="xl">
              <SignalActions signal={signal} />
            </Group>
          )}
        </>
      )}
      <Together rows={6} height={48}>
        {signal !== null && (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg">
            <Stack gap="lg" miw={0}>
              <SignalClaims signal={signal} />
              <Repeats of={signal.reference} count={signal.occurrences} newest={signal.repeats} canEdit={canEdit} />
              <Discussion about={signal.reference} owner={signal.owner} />
              <History about={signal.reference} />
            </Stack>
            <section aria-labelledby="facts">
              <Title order={2} id="facts" mb="sm">
                {t('Where it came from')}
              </Title>
              <SignalFacts signal={signal} />
            </section>
          </SimpleGrid>
        )}
        <SignalWay id={id} stands={standsOf(status, step)} receivedAt={signal?.received_at} />
      </Together>
    </Page>
  )
}

/** From here on, what was said is read as a page. */
const LONG = 320

/** The customer’s words, and whose they are. */
const Words = ({ signal, text }: SignalClaimsProps & { readonly text: string }) => (
  <figure className={classes.words}>
    <blockquote className={classes.said} data-long={text.length > LONG || undefined}>
      <Quote text={text} most={4000} />
    </blockquote>
    <Text component="figcaption" size="sm">
      <SaidBy of={signal} />
    </Text>
  </figure>
)

const STANDS: Readonly<Record<Output<'lookup_signal'>['status'], string>> = {
  inserted: t('Went through all steps'),
  duplicate: t('Counted as a repeat'),
  in_pipeline: t('On its way'),
  dead: t('Died'),
  test: t('Was a test'),
}

const standsOf = (status: Output<'lookup_signal'>['status'], step: string | null): string =>
  step === null ? STANDS[status] : t('{status} at {step}', { status: STANDS[status], step: word(step) })

interface SignalClaimsProps {
  readonly signal: Signal
}

/** The claims that a signal is evidence of. */
const SignalClaims = ({ signal: { claims, classification } }: SignalClaimsProps) => (
  <section aria-labelledby="claims">
    <Title order={2} id="claims" mb="sm">
      {t('Evidence of')}
    </Title>
    {claims.length === 0 ? (
      <Text size="sm" c="dimmed">
        {t('No claim.')}{' '}
        {classification === 'question' &&
          t('A question does not start a claim by itself. Promote it if there is a problem or an idea in it.')}
      </Text>
    ) : (
      <Stack component="ul" gap="xs" m={0} p={0}>
        {claims.map(({ id, reference, title }) => (
          <Text component="li" key={id} size="md" className={classes.claim ?? ''}>
            <Reference of={reference} /> <bdi>{title}</bdi>
          </Text>
        ))}
      </Stack>
    )}
  </section>
)
