import { findAccount, makeResetToken, resetLink } from '../../../model/accounts/accounts.ts'
import { findAdministrator, recordChange } from '../../../model/installation/administrators.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { nullable } from '../parts/fields.ts'

const OTHER_ADMINISTRATOR =
  'This account administers the installation too, and administrators do not open each other’s accounts. Whoever runs the server makes its link, with `assay account reset-link`.'

/**
 * A link gives control of the account, and of workspaces that an administrator cannot see. Therefore a link is shown
 * only when the installation sends no mail, and never for another administrator; owners of workspaces cannot make any,
 * because a member may belong to other workspaces.
 */
export const makeResetLink = writeOperation({
  name: 'make_reset_link',
  title: 'Help somebody who forgot their password',
  summary:
    'Sends the person with an address a link to choose a new password, within an hour. Where this installation sends no mail, the link is shown to you, once, and you give it to them. It is recorded who made it.',
  effect: 'write',
  units: 3,
  role: 'administrator',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({ email: Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.email }) }),
  output: Type.Object({
    name: Type.String(),
    by_mail: Type.Boolean({ description: 'Whether the link is sent to the person.' }),
    url: nullable(Type.String({ description: 'Null where it is sent, and when an idempotent call is repeated.' })),
  }),
  apply: async ({ email }, transaction, { caller, services: { mail, baseUrl } }) => {
    const account = await findAccount(transaction, email)
    if (account.id === caller.userId) {
      throw new AssayError('conflict', 'This is you. Change your password under Settings → Account.')
    }
    if (account.disabled_at !== null) {
      throw new AssayError('conflict', `The account of ${account.email} is disabled.`)
    }
    if ((await findAdministrator(transaction, account.id)) !== undefined) {
      throw new AssayError('forbidden', OTHER_ADMINISTRATOR)
    }
    const by = { id: caller.userId, name: caller.userName }
    await recordChange(transaction, { change: 'reset_link_made', account, by })
    if (mail === null) {
      const url = resetLink(baseUrl, await makeResetToken(transaction, account.id))
      return { data: { name: account.name, by_mail: false, url }, secretFields: ['url'] }
    }
    await mail.put(transaction, 'password_reset', { email: account.email }, caller.userId)
    return { data: { name: account.name, by_mail: true, url: null }, afterCommit: mail.wake }
  },
})
