import assert from 'node:assert/strict'
import { FIELDS_BESIDE_KIND, kindsWithField } from '../../model/activity/fields-of-kinds.ts'
import { ACTIVITY_KINDS } from '../../schemas/events/activity.ts'
import type { Person } from '../support/person.ts'
import type { Json } from './numbers.ts'

/** Asks for a kind of event by each field that it does not have: no answer is a count of nothing. */
export const requireFieldsOfKinds = async (person: Person): Promise<void> => {
  for (const field of FIELDS_BESIDE_KIND) {
    const having = kindsWithField(field)
    const kind = ACTIVITY_KINDS.find(one => !having.includes(one))
    if (kind === undefined) continue
    const question = { filters: [{ field: 'kind', op: 'in', values: [kind] }], group_by: [field] }
    const refusal = new RegExp(`have no ${field}.*${having.join(', ')}`)
    await assert.rejects(person.call<Json>('analyze_activity', question), refusal, `${kind} ${field}`)
  }
}
