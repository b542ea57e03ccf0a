import type { HeldTexts } from '../../../model/search/search-texts.ts'
import {
  type SearchFilters as Resolved,
  SEARCH_FIELDS,
  type SearchedType,
  type SearchField,
  typesWith,
} from '../../../model/search/searched.ts'
import {
  CHANNELS,
  CLAIM_KINDS,
  CLAIM_STATES,
  CLASSIFICATIONS,
  SIGNAL_ORIGINS,
  SIGNAL_STATES,
  SOLUTION_STATES,
} from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Static, type Transaction, Type } from '../define.ts'
import { oneOf } from '../parts/fields.ts'
import {
  type FilterValue,
  idsNamed,
  namedSource,
  namesBySenders,
  refuseOtherWords,
  requireFewNames,
} from '../parts/filters.ts'

export const SearchFilters = Type.Array(
  Type.Object({
    field: oneOf(SEARCH_FIELDS),
    op: oneOf(['in', 'not_in']),
    values: Type.Array(Type.String({ maxLength: 300 }), { minItems: 1, maxItems: 100 }),
  }),
  { maxItems: 10, description: 'All must hold. Kinds without the field are left out. Names and references resolve.' },
)

const STATES: Readonly<Partial<Record<SearchedType, readonly string[]>>> = {
  signal: SIGNAL_STATES,
  claim: CLAIM_STATES,
  solution: SOLUTION_STATES,
}

const wordsOf = (field: SearchField, types: readonly SearchedType[]): readonly string[] | null => {
  if (field === 'state') return [...new Set(types.flatMap(type => STATES[type] ?? []))]
  if (field === 'classification') return CLASSIFICATIONS
  if (field === 'kind') return CLAIM_KINDS
  if (field === 'channel') return CHANNELS
  return field === 'signal_origin' ? SIGNAL_ORIGINS : null
}

/** A value as the rows store it; several when it names several. */
const stored = async (
  transaction: Transaction,
  held: HeldTexts,
  types: readonly SearchedType[],
  given: FilterValue & { readonly field: SearchField },
): Promise<readonly string[]> => {
  const { field, value } = given
  // Rows without a value.
  if (value === '') return ['']
  const allowed = wordsOf(field, types)
  if (allowed !== null) {
    refuseOtherWords(given, allowed)
    return [value]
  }
  if (field === 'source') {
    const { labels, ids } = await namedSource(transaction, given)
    return [...labels, ...ids]
  }
  if (field === 'actor')
    return (await namesBySenders(transaction, held, { ...given, column: 'actor_name', spellings: 'all' })).names
  return idsNamed(transaction, field as 'node' | 'claim' | 'group', value)
}

const refuseWithoutField = (field: SearchField, searchedTypes: readonly SearchedType[], place: number): void => {
  const types = typesWith(field)
  if (searchedTypes.some(type => types.includes(type))) return
  throw new AssayError(
    'invalid_input',
    `No ${searchedTypes.join(' or ')} has the field ${field}: it is one of ${types.join(', ')}.`,
    {
      violations: [{ pointer: `/filters/${place}/field`, message: `is a field of ${types.join(', ')}` }],
    },
  )
}

/**
 * The filters with stored values: sources, actors, claims, nodes and groups by id, reference or name; a node includes
 * the nodes below it, a claim the claims merged into it. An empty value means "none". Throws `invalid_input` for an
 * impossible value or field, with the allowed or nearest ones, and `not_found` or `ambiguous` for an object.
 */
export const resolveSearchFilters = async (
  transaction: Transaction,
  held: HeldTexts,
  types: readonly SearchedType[],
  filters: Static<typeof SearchFilters>,
): Promise<Resolved> => {
  requireFewNames(filters.flatMap(({ field, values }) => (wordsOf(field, types) === null ? values : [])))
  const resolved = []
  for (const [place, filter] of filters.entries()) {
    refuseWithoutField(filter.field, types, place)
    const values = new Set<string>()
    for (const value of filter.values) {
      const given = { field: filter.field, value, pointer: `/filters/${place}/values` }
      for (const each of await stored(transaction, held, types, given)) values.add(each)
    }
    resolved.push({ ...filter, values: [...values] })
  }
  const left = types.filter(type => filters.every(({ field }) => typesWith(field).includes(type)))
  if (left.length > 0) return resolved
  const fields = filters.map(({ field }) => `${field} is one of ${typesWith(field).join(', ')}`)
  throw new AssayError('invalid_input', `Nothing has all of the fields: ${fields.join('; ')}.`, {
    violations: [{ pointer: '/filters', message: 'no kind has all of the fields' }],
  })
}
