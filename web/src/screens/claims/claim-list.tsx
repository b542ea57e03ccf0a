import { useDebouncedValue } from '@mantine/hooks'
import { CLAIM_KINDS, CLAIM_STATES } from '../../../../schemas/domain/vocabulary.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { CLAIM_ORDERS, type ClaimFilter } from './claim-filter.ts'
import { ClaimResults } from './claim-results.tsx'
import { RankedClaims } from './ranked-claims.tsx'

const DEFAULTS = { query: '', kind: '', state: '', order: 'evidence_priority' }
const TYPING_MS = 250

/** Problems and Opportunities by what is behind them; with words in the search, those that mean it. */
export const ClaimList = () => {
  const [state, change] = useUrlState(DEFAULTS)
  const [words] = useDebouncedValue(state.query.trim(), TYPING_MS)
  const kind = CLAIM_KINDS.find(each => each === state.kind)
  const inState = CLAIM_STATES.find(each => each === state.state)
  const filter: ClaimFilter = { ...(kind && { kinds: [kind] }), ...(inState && { states: [inState] }) }
  const order = CLAIM_ORDERS.find(({ value }) => value === state.order)?.value ?? 'evidence_priority'
  const searching = words !== ''
  return (
    <Page>
      <PageHeader title="Claims" about="Problems and Opportunities, each with the signals behind it." />
      <FilterBar
        search={{ label: 'Search claims', value: state.query, onChange: query => change({ query }) }}
        choices={[
          { label: 'Kind', value: state.kind, options: CLAIM_KINDS, onChange: kind => change({ kind }) },
          { label: 'State', value: state.state, options: CLAIM_STATES, onChange: state => change({ state }) },
          ...(searching
            ? []
            : [
                {
                  label: 'Order',
                  value: order === DEFAULTS.order ? '' : order,
                  options: CLAIM_ORDERS,
                  onChange: (value: string) => change({ order: value === '' ? DEFAULTS.order : value }),
                },
              ]),
        ]}
      />
      {searching ? <ClaimResults query={words} filter={filter} /> : <RankedClaims filter={filter} order={order} />}
    </Page>
  )
}
