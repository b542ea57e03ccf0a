import { Type } from 'typebox'
import type { MemberRole } from '../../../schemas/domain/vocabulary.ts'
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

export interface InvitationRow {
  readonly id: string
  readonly label: string
  readonly role: MemberRole
  readonly invited_by_name: string
  readonly created_at: Date
  readonly expires_at: Date
}

export const toInvitation = ({ created_at, expires_at, ...rest }: InvitationRow) => ({
  ...rest,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
})
