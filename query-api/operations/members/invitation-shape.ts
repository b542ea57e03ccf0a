import { Type } from 'typebox'
import type { InvitationRow } from '../../../model/members/invitations.ts'
import { instant, uuid } from '../parts/fields.ts'
import { role } from './member-shape.ts'

/** An invitation as lists show it, without its link. */
export const InvitationShape = Type.Object({
  id: uuid,
  label: Type.String(),
  role,
  invited_by_name: Type.String(),
  created_at: instant,
  expires_at: instant,
})

export const toInvitation = ({ created_at, expires_at, ...rest }: InvitationRow) => ({
  ...rest,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
})
