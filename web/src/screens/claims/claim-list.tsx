import { Group, Table, Text } from '@mantine/core'
import { IconQuote } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { CHOSEN_BY, type ChosenBy } from '../../../../schemas/domain/customer-facts.ts'
import { CLAIM_KINDS, CLAIM_STATES } from '../../../../schemas/domain/vocabulary.ts'
import { type Input, type Output, useCanEdit, useOperationPages } from '../../api/operations.ts'
import { counted, fromStored, language, t } from '../../language/messages.ts'
import { Initials, OWNERS, StateBadge } from '../../parts/badges.tsx'
import {
  ABOUT_CUSTOMERS,
  customerChoices,
  type Facts,
  factsInShort,
  given,
  isTold,
} from '../../parts/customer-facts.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { priority, queryOf } from '../../parts/formats.ts'
import { Reference, When } from '../../parts/inline.tsx'
import { LinkedTable, MoreButton, pressedWithShift } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { ChooseClaim, ChosenBar, type ChosenClaims, CLAIMS, useChosenClaims, useClaimKeys } from './chosen-claims.tsx'
import classes from './claims.module.css'
import { KindIcon } from './kind-icon.tsx'
import { NewSolution } from './new-solution.tsx'

const DEFAULTS = { query: '', kind: '', state: '', owner: '', account: '', plan: '', language: '', tag: '', order: '' }

/** Problems and Opportunities by what is behind them; with words in the search, those that mean it. */
export const ClaimList = () => {
  const [state, change] = useUrlState(DEFAULTS)
  const all = useChosenClaims()
  const chosen = useCanEdit() ? all : null
  const kind = CLAIM_KINDS.find(each => each === state.kind)
  const inState = CLAIM_STATES.find(each => each === state.state)
  const order = CLAIM_ORDERS.find(({ value }) => value === state.order)?.value
  const words = queryOf(state.query)
  const input: ClaimInput = {
    ...(kind && { kinds: [kind] }),
    ...(inState && { states: [inState] }),
    ...given(state, ['owner', ...CHOSEN_BY]),
    ...(words !== '' && { query: words }),
    ...(order && { order_by: order }),
  }
  const [facts, setFacts] = useState<Facts>()
  return (
    <Page>
      <PageHeader title={t('Claims')} about={t('Problems and Opportunities, each with the signals behind it.')} />
      <FilterBar
        search={{ label: t('Search claims'), value: state.query, onChange: query => change({ query }) }}
        choices={[
          { label: t('Kind'), value: state.kind, options: CLAIM_KINDS, onChange: kind => change({ kind }) },
          { label: t('State'), value: state.state, options: CLAIM_STATES, onChange: state => change({ state }) },
          { label: t('Owner [filter]'), value: state.owner, options: OWNERS, onChange: owner => change({ owner }) },
          {
            label: t('Order [of a list]'),
            value: order ?? '',
            options: CLAIM_ORDERS.filter(({ value }) => value === order || hasOrder(facts, value)),
            onChange: order => change({ order }),
          },
        ]}
        more={{ ...ABOUT_CUSTOMERS, choices: customerChoices(facts, state, change) }}
      />
      {chosen && <ChosenBar chosen={chosen} />}
      <Claimed input={input} chosen={chosen} onFacts={setFacts} />
    </Page>
  )
}

type ClaimInput = Omit<Input<'analyze_claims'>, 'limit' | 'cursor'>

interface ClaimedProps {
  readonly input: ClaimInput
  /** Null: the person’s role may change nothing. */
  readonly chosen: ChosenClaims | null
  /** Hears what senders tell of their customers. */
  readonly onFacts: (facts: Facts) => void
}

/** The claims with what is behind each: the highest of the order first, or what a search finds, the best first. */
const Claimed = ({ input, chosen, onFacts }: ClaimedProps) => {
  const query = useOperationPages('analyze_claims', { ...input, customers: true, limit: 50 }, { keep: true })
  const { items, first, error } = query
  const facts = first?.facts
  useEffect(() => {
    if (facts !== undefined) onFacts(facts)
  }, [facts, onFacts])
  const body = useRef<HTMLTableSectionElement>(null)
  useClaimKeys(body, items, chosen)
  if (first === undefined) {
    return error === null ? <LoadingState rows={10} /> : <ErrorState error={error} retry={query.refetch} />
  }
  if (items.length === 0) {
    return (
      <EmptyState icon={IconQuote} title={input.query === undefined ? t('No claim matches') : t('Nothing found')}>
        {input.query === undefined
          ? t('A problem or an idea starts a claim by itself; a signal that is promoted in Triage does too.')
          : t('No claim has these words or means the same.')}
      </EmptyState>
    )
  }
  const isRanked = input.query !== undefined && input.order_by === undefined
  const unanswered = first.groups.reduce((sum, group) => sum + group.unanswered, 0)
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm" role="status">
        {isRanked
          ? t('{claims} found, the best first.', { claims: counted(first.count, 'claim') })
          : t('{claims}, {unanswered} of them without a Solution.', {
              claims: counted(first.count, 'claim'),
              unanswered: unanswered.toLocaleString(language),
            })}
      </Text>
      <LinkedTable id={CLAIMS} aria-label={t('Claims')} className={classes.table ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Claim')}</Table.Th>
            <Table.Th>{t('Title')}</Table.Th>
            <Table.Th data-yields="3">{t('State')}</Table.Th>
            <Table.Th data-yields="3" ta="end">
              {t('Signals')}
            </Table.Th>
            <Table.Th data-yields="1" ta="end">
              {t('Actors')}
            </Table.Th>
            <Table.Th data-yields="2" ta="end">
              {t('Solutions')}
            </Table.Th>
            <Table.Th data-yields="2" ta="end">
              {t('Evidence priority')}
            </Table.Th>
            {isTold(facts, 'account') && (
              <Table.Th data-yields="1" ta="end">
                {t('Companies')}
              </Table.Th>
            )}
            {facts?.revenue === true && (
              <Table.Th data-yields="1" ta="end">
                {t('Revenue')}
              </Table.Th>
            )}
            <Table.Th data-yields="1">{t('Newest evidence')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          {items.map(claim => (
            <ClaimRow key={claim.id} claim={claim} items={items} chosen={chosen} facts={facts} />
          ))}
        </Table.Tbody>
      </LinkedTable>
      <MoreButton query={query} />
    </>
  )
}

interface ClaimRowProps {
  readonly claim: Output<'analyze_claims'>['items'][number]
  readonly items: Output<'analyze_claims'>['items']
  readonly chosen: ChosenClaims | null
  readonly facts: Facts | undefined
}

/** A claim: its title in two lines, since it is what people look for, and what is behind it. */
const ClaimRow = ({ claim, items, chosen, facts }: ClaimRowProps) => (
  <Table.Tr {...(chosen && pressedWithShift(() => chosen.extend(items, claim)))}>
    <Table.Td>
      <Group gap="sm" wrap="nowrap">
        {chosen && <ChooseClaim claim={claim} items={items} chosen={chosen} />}
        <Reference of={claim.reference} about={fromStored(claim.title)} />
      </Group>
    </Table.Td>
    <Table.Td className={classes.title ?? ''}>
      <Group gap="sm" wrap="nowrap">
        <KindIcon kind={claim.kind} />
        <Text component="bdi" size="sm" lineClamp={2} flex={1} miw={0} title={fromStored(claim.title)}>
          {fromStored(claim.title)}
        </Text>
        {claim.owner !== null && <Initials name={claim.owner.name} />}
      </Group>
      {claim.customer_facts !== undefined && (
        <Text component="bdi" size="xs" c="dimmed" display="block" lineClamp={1}>
          {factsInShort(claim.customer_facts)}
        </Text>
      )}
      <Group gap="sm" mt="xs" data-instead="3">
        <StateBadge state={claim.state} />
        <Text size="xs" c="dimmed">
          {counted(claim.signals, 'signal')}
        </Text>
        {claim.last_evidence_at !== null && (
          <Text size="xs" c="dimmed" component="div">
            <When at={claim.last_evidence_at} />
          </Text>
        )}
      </Group>
    </Table.Td>
    <Table.Td data-yields="3">
      <StateBadge state={claim.state} />
    </Table.Td>
    <Table.Td data-yields="3" ta="end">
      {claim.signals.toLocaleString(language)}
    </Table.Td>
    <Table.Td data-yields="1" ta="end">
      {claim.actors.toLocaleString(language)}
    </Table.Td>
    <Table.Td data-yields="2" ta="end">
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {claim.solutions.toLocaleString(language)}
        {chosen && <NewSolution claim={claim} />}
      </Group>
    </Table.Td>
    <Table.Td data-yields="2" ta="end">
      {priority(claim.evidence_priority)}
    </Table.Td>
    {isTold(facts, 'account') && (
      <Table.Td data-yields="1" ta="end">
        {(claim.accounts ?? 0).toLocaleString(language)}
      </Table.Td>
    )}
    {facts?.revenue === true && (
      <Table.Td data-yields="1" ta="end">
        {claim.revenue == null ? '–' : claim.revenue.toLocaleString(language, { maximumFractionDigits: 0 })}
      </Table.Td>
    )}
    <Table.Td data-yields="1">{claim.last_evidence_at === null ? '–' : <When at={claim.last_evidence_at} />}</Table.Td>
  </Table.Tr>
)

const CLAIM_ORDERS = [
  { value: 'evidence_priority', label: t('By evidence priority') },
  { value: 'signals', label: t('By signals') },
  { value: 'actors', label: t('By senders') },
  { value: 'accounts', label: t('By companies') },
  { value: 'revenue', label: t('By revenue') },
  { value: 'plan', label: t('By plan') },
  { value: 'language', label: t('By language') },
  { value: 'last_evidence_at', label: t('Newest evidence first') },
  { value: 'created_at', label: t('Newest claim first') },
] as const

type ClaimOrder = (typeof CLAIM_ORDERS)[number]['value']

const FACT_OF_ORDER: Readonly<Partial<Record<ClaimOrder, ChosenBy>>> = {
  accounts: 'account',
  plan: 'plan',
  language: 'language',
}

/** Orders by customers are there where senders tell of them. */
const hasOrder = (facts: Facts | undefined, order: ClaimOrder): boolean => {
  if (order === 'revenue') return facts?.revenue === true
  const { [order]: fact } = FACT_OF_ORDER
  return fact === undefined || isTold(facts, fact)
}
