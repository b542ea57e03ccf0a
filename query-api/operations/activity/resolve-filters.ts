import type {
  Field,
  Filter,
  Metric,
  PlaceField,
  Places,
  SignalPlaces,
} from '../../../model/activity/activity-question.ts'
import { nearestValues, storedValues } from '../../../model/activity/activity-rows.ts'
import { classifiesReceived } from '../../../model/activity/fields-of-kinds.ts'
import { MAX_PLACED, readPlaces } from '../../../model/activity/signal-places.ts'
import { idsTitled } from '../../../model/references/titled.ts'
import { FACT_KEYS, FACTS, type Fact, isFact, isKnownFact } from '../../../model/signals/facts.ts'
import type { Clock } from '../../../model/signals/happened.ts'
import { LOOKED_THROUGH, metadataValues } from '../../../model/signals/known-senders.ts'
import { sourcesNamed } from '../../../model/sources/sources.ts'
import { spelledAs } from '../../../model/words/nearest-names.ts'
import { MAX_FILTER_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { ACTOR_ROLES, CHANNELS, CLASSIFICATIONS, SIGNAL_ORIGINS, STEPS } from '../../../schemas/domain/vocabulary.ts'
import { ACTIVITY_KINDS } from '../../../schemas/events/activity.ts'
import { InvalidArguments } from '../call/contract.ts'
import { AssayError, type ReadContext } from '../define.ts'
import {
  idsNamed,
  MAX_LOOKED_UP,
  namesNothing,
  nearestOf,
  refuseOtherWords,
  requireFewNames,
} from '../parts/filters.ts'
import { resolveActors } from './resolve-actors.ts'

/** Fields with the service's own words. Other fields have a sender's value or an object's id. */
const WORDS: Readonly<Partial<Record<Field, readonly string[]>>> = {
  kind: ACTIVITY_KINDS,
  // Channels of signals and of calls.
  channel: [...CHANNELS, 'app', 'key'],
  signal_origin: SIGNAL_ORIGINS,
  actor_role: ACTOR_ROLES,
  classification: CLASSIFICATIONS,
  step: STEPS,
}

/** Throws `invalid_input` when all values together are too long for one statement. */
const requireShort = (filters: readonly Filter[]): void => {
  const values = filters.flatMap(filter => filter.values)
  const characters = values.reduce((sum, value) => sum + value.length, 0)
  if (characters <= MAX_FILTER_CHARACTERS) return
  const message = `have ${characters} characters in all values together; at most ${MAX_FILTER_CHARACTERS} are allowed. Name fewer values, or shorter parts of them`
  throw new InvalidArguments('The filters', [{ pointer: '/filters', message }])
}

/**
 * The filters with ids: nodes, claims, themes, sources and people by id, reference or name; a node includes the nodes
 * below it, a claim the claims merged into it. An empty value means "none". Throws `invalid_input` for a value that the
 * field never has, with the allowed or the nearest ones, and `not_found` or `ambiguous` for an object.
 */
export const resolveFilters = async (filters: readonly Filter[], context: ReadContext): Promise<Filter[]> => {
  requireShort(filters)
  const named = filters.filter(({ field, op }) => op !== 'contains' && WORDS[field] === undefined)
  requireFewNames(named.flatMap(({ values }) => values))
  return Promise.all(filters.map((filter, index) => resolveFilter(filter, index, context)))
}

const resolveFilter = async (filter: Filter, index: number, context: ReadContext): Promise<Filter> => {
  const { field, op, values } = filter
  if (field === 'actor') return resolveActors(filter, index, context)
  if (op === 'contains' && isTitled(field))
    return { ...filter, op: 'in', values: await titled(field, values, index, context) }
  // `contains` compares parts of values and needs no look-up.
  if (op === 'contains') return filter
  if (isTitled(field)) return { ...filter, values: await idsOf(field, values, context) }
  if (isFact(field)) {
    await requireKnownFact(field, values, index, context)
    return filter
  }
  const allowed = WORDS[field]
  if (allowed !== undefined) {
    for (const value of values) {
      if (value !== '') refuseOtherWords({ field, value, pointer: `/filters/${index}/values` }, allowed)
    }
    return filter
  }
  return { ...filter, values: await storedOf(field, values, index, context) }
}

/**
 * The values as events store them, in any letter case, with the ids of named sources. Throws `invalid_input` for an
 * unknown value.
 */
const storedOf = async (
  field: Field,
  values: readonly string[],
  index: number,
  context: ReadContext,
): Promise<readonly string[]> => {
  const { services, caller } = context
  const named = values.filter(value => value !== '')
  const stored = await storedValues(services.analytics, caller.workspaceId, field, named)
  const found = [...values.filter(value => value === ''), ...stored]
  for (const value of named) {
    const ids = field === 'source' ? await context.read(transaction => sourcesNamed(transaction, value)) : []
    found.push(...ids)
    if (ids.length > 0 || spelledAs(value, stored).length > 0) continue
    const nearest = await nearestValues(services.analytics, caller.workspaceId, field, value)
    const next = nearest.length === 0 ? 'No event of this workspace has that field.' : nearestOf(value, nearest, '')
    const given = { field, value, pointer: `/filters/${index}/values` }
    throw namesNothing(given, `${next} Op contains finds parts of a value.`)
  }
  return found
}

/** Throws `invalid_input` with the nearest values for a value that no signal or repeat has. */
const requireKnownFact = (fact: Fact, values: readonly string[], index: number, { read }: ReadContext): Promise<void> =>
  read(async transaction => {
    const known = await metadataValues(transaction, FACT_KEYS[fact], { newest: LOOKED_THROUGH })
    for (const value of values) {
      if (value === '' || spelledAs(value, known).length > 0 || (await isKnownFact(transaction, fact, value))) continue
      const next = nearestOf(value, known, 'No Signal came with that detail.')
      throw namesNothing(
        { field: fact, value, pointer: `/filters/${index}/values` },
        `${next} Op contains finds parts of a value.`,
      )
    }
  })

/** Fields whose values are objects with a title. */
type Titled = 'node' | 'claim' | 'theme'

const isTitled = (field: Field): field is Titled => field === 'node' || field === 'claim' || field === 'theme'

const idsOf = async (field: Titled, values: readonly string[], { read }: ReadContext): Promise<string[]> =>
  read(async transaction => {
    const ids = values.map(value => (value === '' ? [''] : idsNamed(transaction, field, value)))
    return (await Promise.all(ids)).flat()
  })

/** Ids of objects with one of the parts in their titles, in any letter case, and of what each includes. */
const titled = (field: Titled, parts: readonly string[], index: number, { read }: ReadContext): Promise<string[]> =>
  read(async transaction => {
    const titledIds = await idsTitled(transaction, field, parts, MAX_LOOKED_UP + 1)
    const given = { field, value: parts.join(', '), pointer: `/filters/${index}/values` }
    if (titledIds.length === 0) throw namesNothing(given, 'Op contains looks for parts of titles.')
    requireFewNames(titledIds)
    return (await Promise.all(titledIds.map(id => idsNamed(transaction, field, id)))).flat()
  })

interface PlaceQuestion {
  readonly clock: Clock
  readonly from: Date
  readonly to: Date
  readonly metrics: readonly Metric[]
  readonly groupBy: readonly Field[]
  readonly filters: readonly Filter[]
}

/** The claims that a filter names; null for all claims. */
const claimsOf = ({ groupBy, filters }: PlaceQuestion): readonly string[] | null => {
  const named = filters.filter(({ field }) => field === 'claim')
  if (named.some(({ values }) => values.includes(''))) return null
  const isTold = named.some(({ op }) => op === 'in') || !groupBy.includes('claim')
  return isTold ? [...new Set(named.flatMap(({ values }) => values))] : null
}

/**
 * Present claims, themes and nodes, and actors, of the signals in a question. Throws `invalid_input` for too many
 * signals; then only nodes can be answered, from the events.
 */
export const placeSignals = async (question: PlaceQuestion, { read }: ReadContext): Promise<Places> => {
  const fields = new Set<Field>([
    ...question.groupBy,
    ...question.filters.map(({ field }) => field),
    ...(question.metrics.includes('distinct_actors') ? (['actor'] as const) : []),
  ])
  const wanted = { clock: question.clock, from: question.from, to: question.to, claims: claimsOf(question) }
  const placesOf = async (field: PlaceField) =>
    fields.has(field) ? await read(transaction => readPlaces(transaction, field, wanted)) : undefined
  const claim = await placesOf('claim')
  if (claim === null)
    throw new AssayError(
      'invalid_input',
      `More than ${MAX_PLACED} Signals of this time are evidence: too many to tell the claims of. Ask for a shorter time, or filter by claim.`,
      { violations: [{ pointer: '/time', message: `holds evidence of more than ${MAX_PLACED} Signals` }] },
    )
  const found: Partial<Record<Field, SignalPlaces>> = { ...(claim && { claim }) }
  const classified = classifiesReceived(question.filters) ? (['classification'] as const) : []
  for (const field of ['theme', 'actor', ...classified, ...FACTS] as const) {
    const places = await placesOf(field)
    if (places === undefined) continue
    if (places === null)
      throw new AssayError(
        'invalid_input',
        `More than ${MAX_PLACED} Signals are of this time: too many to look at each. Ask for a shorter time.`,
        { violations: [{ pointer: '/time', message: `has more than ${MAX_PLACED} Signals` }] },
      )
    found[field] = places
  }
  const node = await placesOf('node')
  return { ...found, ...(node && { node }) }
}
