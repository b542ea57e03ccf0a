import type { Filter } from '../../../model/activity/activity-question.ts'
import { storedValues } from '../../../model/activity/activity-rows.ts'
import { decidersNamed } from '../../../model/decisions/read-decisions.ts'
import { peopleNamed, peopleOf } from '../../../model/members/people.ts'
import { actorsNamed, actorsWithPart } from '../../../model/signals/actors.ts'
import { newestNames } from '../../../model/signals/known-senders.ts'
import { normalizeAddress } from '../../../model/signals/normalize.ts'
import type { ReadContext } from '../define.ts'
import { namesNothing, nearestOf } from '../parts/filters.ts'

/**
 * Resolves an actor filter to signals' actors and members' ids: by a name in any letter case, an address, or the actor
 * itself. Throws `invalid_input` with the nearest names for an unknown value.
 */
export const resolveActors = async (filter: Filter, index: number, context: ReadContext): Promise<Filter> => {
  if (filter.op === 'contains') return { ...filter, op: 'in', values: await havingParts(filter.values, context) }
  const values: string[] = []
  for (const value of filter.values)
    for (const actor of value === '' ? [''] : await actorsOf(value, index, context)) values.push(actor)
  return { ...filter, values }
}

const havingParts = (parts: readonly string[], { read }: ReadContext): Promise<string[]> => {
  const wanted = parts.map(part => part.toLowerCase())
  return read(async transaction => {
    const people = await peopleOf(transaction)
    const members = people.filter(({ name }) => wanted.some(part => name.toLowerCase().includes(part)))
    return [...members.map(({ id }) => id), ...(await actorsWithPart(transaction, wanted))]
  })
}

const actorsOf = async (value: string, index: number, context: ReadContext): Promise<readonly string[]> => {
  const { read, services, caller } = context
  const actorKey = value.includes('@') ? services.actorKey(normalizeAddress(value)) : null
  // A code host has its own names for people, and events without a signal have no other name.
  const stored = await storedValues(services.analytics, caller.workspaceId, 'actor', [value])
  return read(async transaction => {
    const people = await peopleOf(transaction)
    const found = [
      ...stored,
      ...peopleNamed(people, value).map(({ id }) => id),
      ...(await decidersNamed(transaction, value)),
      ...(await actorsNamed(transaction, value, actorKey)),
    ]
    if (found.length > 0) return found
    const names = [...(await newestNames(transaction, 'actor_name')), ...people.map(({ name }) => name)]
    const next = nearestOf(value, names, 'Nobody in this workspace has a name yet.')
    throw namesNothing(
      { field: 'actor', value, pointer: `/filters/${index}/values` },
      `${next} Op contains finds parts of a value.`,
    )
  })
}
