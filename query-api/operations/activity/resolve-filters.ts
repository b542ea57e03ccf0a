import { AssayError } from '../../../infra/runtime/errors.ts'
import type { Filter } from '../../../model/activity/activity-question.ts'
import type { Field } from '../../../model/activity/activity-vocabulary.ts'
import { firstUnknownValue } from '../../../model/activity/known-values.ts'
import { lineageOf } from '../../../model/claims/read-claims.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { ACTOR_ROLES, CHANNELS, CLASSIFICATIONS, SIGNAL_ORIGINS, STEPS } from '../../../schemas/domain/vocabulary.ts'
import { ACTIVITY_KINDS } from '../../../schemas/events/activity.ts'
import type { ReadContext } from '../define.ts'

/** Fields whose values are words of ours. The others have what was sent, or an object's id. */
const WORDS: Readonly<Partial<Record<Field, readonly string[]>>> = {
  kind: ACTIVITY_KINDS,
  channel: CHANNELS,
  signal_origin: SIGNAL_ORIGINS,
  actor_role: ACTOR_ROLES,
  classification: CLASSIFICATIONS,
  step: STEPS,
}

/**
 * The filters by the ids of what they name: nodes and claims by id, reference or name, a claim with all that was merged into it. The empty value
 * stands for what has none. Throws `invalid_input` for a value that the field never has, with those that it takes or the nearest ones, and
 * `not_found` or `ambiguous` for an object.
 */
export const resolveFilters = (filters: readonly Filter[], context: ReadContext): Promise<Filter[]> =>
  Promise.all(filters.map((filter, index) => resolveFilter(filter, index, context)))

const resolveFilter = async (filter: Filter, index: number, context: ReadContext): Promise<Filter> => {
  const { field, op, values } = filter
  // A part of a value names nothing by itself.
  if (op === 'contains') return filter
  if (field === 'node' || field === 'claim') return { ...filter, values: await idsOf(field, values, context) }
  const allowed = WORDS[field]
  if (allowed !== undefined) {
    const unknown = values.find(value => value !== '' && !allowed.includes(value))
    if (unknown !== undefined) throw refused({ field, index, value: unknown }, `It takes ${allowed.join(', ')}.`)
    return filter
  }
  const { services, caller } = context
  const unknown = await firstUnknownValue(services.analytics, caller.workspaceId, field, values)
  if (unknown === undefined) return filter
  const nearest = unknown.nearest.map(value => JSON.stringify(value)).join(', ')
  const next =
    nearest === '' ? 'No event of this workspace has that field.' : `The nearest of those that happened: ${nearest}.`
  throw refused({ field, index, value: unknown.value }, `${next} Op contains finds parts of a value.`)
}

const idsOf = async (field: 'node' | 'claim', values: readonly string[], { read }: ReadContext): Promise<string[]> =>
  read(async transaction => {
    const ids: string[] = []
    for (const value of values) {
      if (value === '') ids.push('')
      else {
        const { id } = await resolveOne(transaction, field, value)
        ids.push(...(field === 'claim' ? await lineageOf(transaction, id) : [id]))
      }
    }
    return ids
  })

interface Refused {
  readonly field: Field
  readonly index: number
  readonly value: string
}

const refused = ({ field, index, value }: Refused, next: string): AssayError =>
  new AssayError('invalid_input', `Nothing has ${field} ${JSON.stringify(value)}. ${next}`, {
    violations: [{ pointer: `/filters/${index}/values`, message: `names nothing of the field ${field}` }],
  })
