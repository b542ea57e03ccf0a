import { Group, Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconQuote } from '@tabler/icons-react'
import { useRef } from 'react'
import { useParams } from 'react-router'
import { CLAIM_KINDS, CLAIM_STATES } from '../../../../schemas/domain/vocabulary.ts'
import { type Output, useCanEdit, useOperationPages } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { Initials, OWNERS, StateBadge } from '../../parts/badges.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { priority } from '../../parts/formats.ts'
import { Reference, When } from '../../parts/inline.tsx'
import { LinkedTable, MoreButton } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { ChooseClaim, ChosenBar, type ChosenClaims, useChosenClaims, useClaimKeys } from './chosen-claims.tsx'
import { ClaimPage, KindIcon } from './claim-page.tsx'
import { type ClaimFilter, ClaimResults, NewSolution } from './claim-results.tsx'
import classes from './claims.module.css'

/** `/app/claims` is the list, `/app/claims/CLM-2` one of them. */
const Claims = () => {
  const { '*': id = '' } = useParams()
  return id === '' ? <ClaimList /> : <ClaimPage key={id} id={id} />
}

export default Claims

const DEFAULTS = { query: '', kind: '', state: '', owner: '', order: 'evidence_priority' }
const TYPING_MS = 250

/** Problems and Opportunities by what is behind them; with words in the search, those that mean it. */
const ClaimList = () => {
  const [state, change] = useUrlState(DEFAULTS)
  const [words] = useDebouncedValue(state.query.trim(), TYPING_MS)
  const kind = CLAIM_KINDS.find(each => each === state.kind)
  const inState = CLAIM_STATES.find(each => each === state.state)
  const filter: ClaimFilter = { ...(kind && { kinds: [kind] }), ...(inState && { states: [inState] }) }
  const order = CLAIM_ORDERS.find(({ value }) => value === state.order)?.value ?? 'evidence_priority'
  const searching = words !== ''
  const all = useChosenClaims()
  const chosen = useCanEdit() ? all : null
  const ranked = <RankedClaims filter={filter} owner={state.owner} order={order} chosen={chosen} />
  return (
    <Page>
      <PageHeader title={t('Claims')} about={t('Problems and Opportunities, each with the signals behind it.')} />
      <FilterBar
        search={{ label: t('Search claims'), value: state.query, onChange: query => change({ query }) }}
        choices={[
          { label: t('Kind'), value: state.kind, options: CLAIM_KINDS, onChange: kind => change({ kind }) },
          { label: t('State'), value: state.state, options: CLAIM_STATES, onChange: state => change({ state }) },
          ...(searching
            ? []
            : [
                {
                  label: t('Owner'),
                  value: state.owner,
                  options: OWNERS,
                  onChange: (owner: string) => change({ owner }),
                },
                {
                  label: t('Order [of a list]'),
                  value: order === DEFAULTS.order ? '' : order,
                  options: CLAIM_ORDERS,
                  onChange: (value: string) => change({ order: value === '' ? DEFAULTS.order : value }),
                },
              ]),
        ]}
      />
      {chosen && <ChosenBar chosen={chosen} />}
      {searching ? <ClaimResults query={words} filter={filter} chosen={chosen} meanwhile={ranked} /> : ranked}
    </Page>
  )
}

interface RankedClaimsProps {
  readonly filter: ClaimFilter
  /** `me`, `nobody`, or empty for everybody. */
  readonly owner: string
  readonly order: ClaimOrder
  /** Null: the person’s role may change nothing. */
  readonly chosen: ChosenClaims | null
}

/** The claims with what is behind each, the highest of the order first. */
const RankedClaims = ({ filter, owner, order, chosen }: RankedClaimsProps) => {
  const input = { ...filter, ...(owner !== '' && { owner }), order_by: order, limit: 50 }
  const query = useOperationPages('analyze_claims', input, { keep: true })
  const { items, first, error } = query
  const body = useRef<HTMLTableSectionElement>(null)
  useClaimKeys(body, items, chosen)
  if (first === undefined) {
    return error === null ? <LoadingState rows={10} /> : <ErrorState error={error} retry={query.refetch} />
  }
  if (items.length === 0) {
    return (
      <EmptyState icon={IconQuote} title={t('No claim is like that')}>
        {t('A problem or an idea starts a claim by itself; a signal that is promoted in Triage does too.')}
      </EmptyState>
    )
  }
  const unanswered = first.groups.reduce((sum, group) => sum + group.unanswered, 0)
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm" role="status">
        {t('{claims}, {unanswered} of them without a Solution.', {
          claims: counted(first.count, 'claim'),
          unanswered: unanswered.toLocaleString(language),
        })}
      </Text>
      <LinkedTable aria-label={t('Claims')} className={classes.table ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Claim')}</Table.Th>
            <Table.Th>{t('Title')}</Table.Th>
            <Table.Th {...WIDE}>{t('State')}</Table.Th>
            <Table.Th {...WIDE} ta="end">
              {t('Signals')}
            </Table.Th>
            <Table.Th {...WIDE} ta="end">
              {t('Actors')}
            </Table.Th>
            <Table.Th {...WIDE} ta="end">
              {t('Solutions')}
            </Table.Th>
            <Table.Th {...WIDE} ta="end">
              {t('Evidence priority')}
            </Table.Th>
            <Table.Th {...WIDE}>{t('Newest evidence')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          {items.map(claim => (
            <ClaimRow key={claim.id} claim={claim} chosen={chosen} />
          ))}
        </Table.Tbody>
      </LinkedTable>
      <MoreButton query={query} />
    </>
  )
}

/** What a phone has no room for beside the title: there it stands in a line below it. */
const WIDE = { visibleFrom: 'sm' } as const

interface ClaimRowProps {
  readonly claim: Output<'analyze_claims'>['items'][number]
  readonly chosen: ChosenClaims | null
}

/** A claim: its title in two lines, since it is what people look for, and what is behind it. */
const ClaimRow = ({ claim, chosen }: ClaimRowProps) => (
  <Table.Tr>
    <Table.Td>
      <Group gap="sm" wrap="nowrap">
        {chosen && <ChooseClaim claim={claim} chosen={chosen} />}
        <Reference of={claim.reference} />
      </Group>
    </Table.Td>
    <Table.Td className={classes.title ?? ''}>
      <Group gap="sm" wrap="nowrap">
        <KindIcon kind={claim.kind} />
        <Text component="bdi" size="sm" lineClamp={2} flex={1} miw={0} title={claim.title}>
          {claim.title}
        </Text>
        {claim.owner !== null && <Initials name={claim.owner.name} />}
      </Group>
      <Group gap="sm" mt="xs" hiddenFrom="sm">
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
    <Table.Td {...WIDE}>
      <StateBadge state={claim.state} />
    </Table.Td>
    <Table.Td {...WIDE} ta="end">
      {claim.signals.toLocaleString(language)}
    </Table.Td>
    <Table.Td {...WIDE} ta="end">
      {claim.actors.toLocaleString(language)}
    </Table.Td>
    <Table.Td {...WIDE} ta="end">
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {claim.solutions.toLocaleString(language)}
        {chosen && <NewSolution claim={claim} />}
      </Group>
    </Table.Td>
    <Table.Td {...WIDE} ta="end">
      {priority(claim.evidence_priority)}
    </Table.Td>
    <Table.Td {...WIDE}>{claim.last_evidence_at === null ? '–' : <When at={claim.last_evidence_at} />}</Table.Td>
  </Table.Tr>
)

const CLAIM_ORDERS = [
  { value: 'evidence_priority', label: t('By evidence priority') },
  { value: 'signals', label: t('By signals') },
  { value: 'actors', label: t('By senders') },
  { value: 'last_evidence_at', label: t('Newest evidence first') },
  { value: 'created_at', label: t('Newest claim first') },
] as const
type ClaimOrder = (typeof CLAIM_ORDERS)[number]['value']
