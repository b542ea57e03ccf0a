import { Group, Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconQuote } from '@tabler/icons-react'
import { useRef } from 'react'
import { useParams } from 'react-router'
import { CLAIM_KINDS, CLAIM_STATES } from '../../../../schemas/domain/vocabulary.ts'
import { useCanEdit, useOperationPages } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { Initials, OWNERS } from '../../parts/discussion/owners.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { priority } from '../../parts/formats.ts'
import { Reference, When } from '../../parts/inline.tsx'
import { LinkedTable, MoreButton } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { ClaimPage, KindLabel } from './claim-page.tsx'
import { type ClaimFilter, ClaimResults, NewSolution, useSolveKey } from './claim-results.tsx'

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
  const ranked = <RankedClaims filter={filter} owner={state.owner} order={order} />
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
      {searching ? <ClaimResults query={words} filter={filter} meanwhile={ranked} /> : ranked}
    </Page>
  )
}

interface RankedClaimsProps {
  readonly filter: ClaimFilter
  /** `me`, `nobody`, or empty for everybody. */
  readonly owner: string
  readonly order: ClaimOrder
}

/** The claims with what is behind each, the highest of the order first. */
const RankedClaims = ({ filter, owner, order }: RankedClaimsProps) => {
  const input = { ...filter, ...(owner !== '' && { owner }), order_by: order, limit: 50 }
  const query = useOperationPages('analyze_claims', input, { keep: true })
  const { items, first, error } = query
  const body = useRef<HTMLTableSectionElement>(null)
  const canEdit = useCanEdit()
  useSolveKey(body, items, canEdit)
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
      <Table.ScrollContainer minWidth={940} type="native">
        <LinkedTable aria-label={t('Claims')} style={{ whiteSpace: 'nowrap' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Claim')}</Table.Th>
              <Table.Th>{t('Title')}</Table.Th>
              <Table.Th>{t('Kind')}</Table.Th>
              <Table.Th>{t('State')}</Table.Th>
              <Table.Th>{t('Owner')}</Table.Th>
              <Table.Th ta="end">{t('Signals')}</Table.Th>
              <Table.Th ta="end">{t('Actors')}</Table.Th>
              <Table.Th ta="end">{t('Solutions')}</Table.Th>
              <Table.Th ta="end">{t('Evidence priority')}</Table.Th>
              <Table.Th>{t('Newest evidence')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={body}>
            {items.map(claim => (
              <Table.Tr key={claim.id}>
                <Table.Td>
                  <Reference of={claim.reference} />
                </Table.Td>
                <Table.Td w="100%" maw={0}>
                  <Text component="bdi" size="sm" truncate="end" display="block" title={claim.title}>
                    {claim.title}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <KindLabel kind={claim.kind} />
                </Table.Td>
                <Table.Td miw={112}>
                  <StateBadge state={claim.state} />
                </Table.Td>
                <Table.Td>{claim.owner === null ? '–' : <Initials name={claim.owner.name} />}</Table.Td>
                <Table.Td ta="end">{claim.signals.toLocaleString(language)}</Table.Td>
                <Table.Td ta="end">{claim.actors.toLocaleString(language)}</Table.Td>
                <Table.Td ta="end">
                  <Group gap="xs" justify="flex-end" wrap="nowrap">
                    {claim.solutions.toLocaleString(language)}
                    {canEdit && <NewSolution claim={claim} />}
                  </Group>
                </Table.Td>
                <Table.Td ta="end">{priority(claim.evidence_priority)}</Table.Td>
                <Table.Td>{claim.last_evidence_at === null ? '–' : <When at={claim.last_evidence_at} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </LinkedTable>
      </Table.ScrollContainer>
      <MoreButton query={query} />
    </>
  )
}

const CLAIM_ORDERS = [
  { value: 'evidence_priority', label: t('By evidence priority') },
  { value: 'signals', label: t('By signals') },
  { value: 'actors', label: t('By senders') },
  { value: 'last_evidence_at', label: t('Newest evidence first') },
  { value: 'created_at', label: t('Newest claim first') },
] as const
type ClaimOrder = (typeof CLAIM_ORDERS)[number]['value']
