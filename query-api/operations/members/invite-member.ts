import { randomSecret, sha256 } from '../../../infra/runtime/secrets.ts'
import { countMailsOfLastDay } from '../../../model/mail/outgoing-mail.ts'
import { insertInvitation } from '../../../model/members/invitations.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { HOUR_MS } from '../../../schemas/domain/durations.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import type { OutgoingMail } from '../../mail/mail-queue.ts'
import {
  AssayError,
  type Caller,
  type Transaction,
  Type,
  throwDeleted,
  type WriteContext,
  writeOperation,
} from '../define.ts'
import { nullable } from '../parts/fields.ts'
import { InvitationShape, role, toInvitation } from './member.ts'

const DEFAULT_DAYS = 7
/** Refuses characters that could end an address in a header or begin another. */
const EMAIL = '^[^\\s@<>()\\[\\]\\\\,;:"]{1,64}@[^\\s@<>()\\[\\]\\\\,;:"]{1,189}$'

export const inviteMember = writeOperation({
  name: 'invite_member',
  title: 'Invite a member',
  summary:
    'Makes a link that lets one person join this workspace with a role, once, until it expires. With their `email` it is sent there, where this installation sends mail. The link is shown in this answer only, to send it to the person yourself.',
  effect: 'write',
  units: 3,
  role: 'owner',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({
    label: Type.String({
      minLength: 1,
      maxLength: MAX_CHARACTERS.name,
      pattern: '\\S',
      description: 'Whom it is for.',
    }),
    role,
    email: Type.Optional(
      Type.String({
        maxLength: MAX_CHARACTERS.email,
        pattern: EMAIL,
        description: 'Where to send the link. Unless given, nowhere.',
      }),
    ),
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, description: `Default ${DEFAULT_DAYS}.` })),
  }),
  output: Type.Intersect([
    InvitationShape,
    Type.Object({
      url: nullable(Type.String({ description: 'Null when an idempotent call is repeated: only a hash is stored.' })),
      sent_to: nullable(Type.String({ description: 'Null where no mail is sent.' })),
    }),
  ]),
  apply: async (input, transaction, { caller, services }) => {
    const { email = null } = input
    const mail = email === null ? null : await mailFor(transaction, email, caller, services)
    // The invitation takes the member's place, so accepting it needs no other.
    await requireQuota(transaction, services.quotas, 'members', caller.workspaceId)
    const token = randomSecret()
    const days = input.expires_in_days ?? DEFAULT_DAYS
    const made = await insertInvitation(transaction, caller.workspaceId, {
      role: input.role,
      label: input.label.trim(),
      hash: sha256(token),
      invitedBy: caller,
      expiresInDays: days,
    })
    if (made === undefined) return throwDeleted('workspace')
    const { workspace_name: workspace, ...invitation } = made
    if (mail !== null && email !== null) {
      const content = { email, token, workspace, role: input.role, invitedBy: caller.userName, days }
      await mail.put(transaction, 'invitation', content, caller.userId)
    }
    // A browser sends nothing behind the #, so no log and no Referer has the token.
    const url = `${services.baseUrl}/app/invitation#${token}`
    return {
      data: { ...toInvitation(invitation), url, sent_to: email },
      secretFields: ['url'],
      ...(mail !== null && { afterCommit: mail.wake }),
    }
  },
})

/** Invitations by a person in a day. */
const MAX_BY_YOU = 50
/** Invitations to an address in a day, by anybody. */
const MAX_TO_THEM = 3

const NO_MAIL = 'This installation sends no mail. Leave the e-mail out, and send the link to the person yourself.'

/**
 * Limits invitations, so that nobody can flood a person with mail. Rejects with `conflict` when the installation sends
 * no mail, and with `rate_limited` above the limits.
 */
const mailFor = async (
  transaction: Transaction,
  email: string,
  { userId }: Caller,
  { mail }: WriteContext['services'],
): Promise<OutgoingMail> => {
  if (mail === null) throw new AssayError('conflict', NO_MAIL)
  const recipient = mail.recipientOf(email)
  const { by_you, to_them } = await countMailsOfLastDay(transaction, { kind: 'invitation', recipient, askedBy: userId })
  if (by_you < MAX_BY_YOU && to_them < MAX_TO_THEM) return mail
  const message = `${to_them < MAX_TO_THEM ? 'You have' : 'This address has'} had as many invitations by mail as one may in a day. Leave the e-mail out, and send the link yourself.`
  throw new AssayError('rate_limited', message, { retryAfterSeconds: HOUR_MS / 1000 })
}
