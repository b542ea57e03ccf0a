import { Type } from 'typebox'
import { MEMBER_ROLES } from '../../../schemas/domain/vocabulary.ts'
import { oneOf, uuid } from '../parts/fields.ts'

const ROLE_MEANINGS =
  'owner: also members, keys of others and rules; member: also sources, triage and decisions; viewer: reads.'

export const role = oneOf(MEMBER_ROLES, { description: ROLE_MEANINGS })

/** The member whom an operation is about. */
export const userId = Type.With(uuid, { description: 'The member’s user_id, from list_members.' })

export const ChangedMember = Type.Object({ user_id: uuid, role })
