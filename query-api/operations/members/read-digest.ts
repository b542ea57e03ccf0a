import { type ChosenDigest, DIGEST_DAYS, readDigest as readChosen } from '../../../model/members/digests.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { DIGESTS } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Static, Type, throwDeleted } from '../define.ts'
import { instant, nullable, oneOf } from '../parts/fields.ts'

export const every = oneOf(DIGESTS)

export const DigestShape = Type.Object({
  every,
  next_at: nullable(instant),
  mail: oneOf(['ready', 'no_mail', 'unconfirmed_address'], {
    description: 'Whether a mail reaches you: this installation sends none, or your address is not confirmed yet.',
  }),
})

export const digestShape = (
  { digest, digest_through, email_verified }: ChosenDigest,
  sendsMail: boolean,
): Static<typeof DigestShape> => ({
  every: digest,
  next_at:
    digest === 'never' || digest_through === null
      ? null
      : new Date(digest_through.getTime() + DIGEST_DAYS[digest] * DAY_MS).toISOString(),
  mail: sendsMail ? (email_verified ? 'ready' : 'unconfirmed_address') : 'no_mail',
})

export const readDigest = readOperation({
  name: 'read_digest',
  title: 'How often you are told by mail what changed',
  summary: 'Answers how often you get a mail of what changed in this workspace, and when the next one comes.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({}),
  output: DigestShape,
  run: async (_input, { caller, read, services }) => {
    const chosen = await read(transaction => readChosen(transaction, caller.workspaceId, caller.userId))
    return { data: digestShape(chosen ?? throwDeleted('workspace'), services.mail !== null) }
  },
})
