import { Type } from 'typebox'
import { randomSecret, sha256 } from '../../../infra/runtime/secrets.ts'
import { insertInvitation } from '../../../model/members/invitations.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { writeOperation } from '../define.ts'
import { nullable } from '../parts/fields.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'
import { InvitationShape, toInvitation } from './invitation-shape.ts'
import { role } from './member-shape.ts'

const DEFAULT_DAYS = 7

export const inviteMember = writeOperation({
  name: 'invite_member',
  title: 'Invite a member',
  summary:
    'Makes a link that lets one person join this workspace with a role, once, until it expires. The link is shown in this answer only; send it to the person yourself.',
  effect: 'write',
  units: 3,
  role: 'owner',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({
    label: Type.String({
      minLength: 1,
      maxLength: MAX_CHARACTERS.name,
      pattern: '\\S',
      description: 'Whom it is for.',
    }),
    role,
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, description: `Default ${DEFAULT_DAYS}.` })),
  }),
  output: Type.Intersect([
    InvitationShape,
    Type.Object({
      url: nullable(Type.String({ description: 'Null when an idempotent call is repeated: only a hash is stored.' })),
    }),
  ]),
  apply: async (input, transaction, { caller, services }) => {
    // Its place is the member's: accepting it needs none.
    await requireQuota(transaction, services.quotas, 'members', caller.workspaceId)
    const token = randomSecret()
    const invitation = await insertInvitation(transaction, caller.workspaceId, {
      role: input.role,
      label: input.label.trim(),
      hash: sha256(token),
      invitedBy: caller,
      expiresInDays: input.expires_in_days ?? DEFAULT_DAYS,
    })
    if (invitation === undefined) return throwDeleted('workspace')
    // After the #, a browser keeps it to itself: it is in no log and in no Referer.
    const url = `${services.baseUrl}/app/invitation#${token}`
    return { data: { ...toInvitation(invitation), url }, secretFields: ['url'] }
  },
})
