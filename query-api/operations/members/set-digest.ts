import { readDigest, setDigest as set } from '../../../model/members/digests.ts'
import { AssayError, Type, throwDeleted, writeOperation } from '../define.ts'
import { DigestShape, digestShape, every } from './read-digest.ts'

export const setDigest = writeOperation({
  name: 'set_digest',
  title: 'Choose how often you are told by mail what changed',
  summary:
    'Has a mail sent to you every day or every week of what changed in this workspace and what waits there. When nothing changed, none is sent.',
  effect: 'write',
  units: 1,
  role: 'viewer',
  audience: 'people',
  databaseRole: 'assay_accounts',
  changesMembers: true,
  cannotBeUndone: 'Choose again as it was: a mail that was sent stays sent.',
  input: Type.Object({ every }),
  output: DigestShape,
  apply: async (input, transaction, { caller, services }) => {
    const { workspaceId, userId } = caller
    const read = async () => (await readDigest(transaction, workspaceId, userId)) ?? throwDeleted('workspace')
    if (input.every !== 'never') requireMail((await read()).email_verified, services.mail !== null)
    await set(transaction, workspaceId, userId, input.every, services.now())
    return { data: digestShape(await read(), services.mail !== null) }
  },
})

const requireMail = (isConfirmed: boolean, sendsMail: boolean): void => {
  if (!sendsMail)
    throw new AssayError('conflict', 'This installation sends no mail: its operator can set a mail server.')
  if (isConfirmed) return
  throw new AssayError('conflict', 'Your address is not confirmed yet. Confirm it under Settings → Account first.')
}
