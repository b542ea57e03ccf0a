import { findAccount, removeTwoFactor as remove } from '../../../model/accounts/accounts.ts'
import { findAdministrator, recordChange } from '../../../model/installation/administrators.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { AssayError, Type, writeOperation } from '../define.ts'

const OTHER_ADMINISTRATOR =
  'This account administers the installation too, and administrators do not open each other’s accounts. Whoever runs the server takes it off, with `assay account remove-two-factor`.'

export const removeTwoFactor = writeOperation({
  name: 'remove_two_factor',
  title: 'Help somebody who lost their second factor',
  summary:
    'Takes the second factor off the account with an address: the person signs in with the password alone and sets it up again. They are told by mail, where this installation sends mail. It is recorded who did it.',
  effect: 'write',
  units: 3,
  role: 'administrator',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({ email: Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.email }) }),
  output: Type.Object({ name: Type.String() }),
  apply: async ({ email }, transaction, { caller, services: { mail } }) => {
    const account = await findAccount(transaction, email)
    if (account.id === caller.userId) {
      throw new AssayError('conflict', 'This is you. Turn it off under Settings → Account.')
    }
    if ((await findAdministrator(transaction, account.id)) !== undefined) {
      throw new AssayError('forbidden', OTHER_ADMINISTRATOR)
    }
    if (!(await remove(transaction, account.id))) {
      throw new AssayError('conflict', `The account of ${account.email} has no second factor.`)
    }
    await recordChange(transaction, {
      change: 'two_factor_removed',
      account,
      by: { id: caller.userId, name: caller.userName },
    })
    await mail?.put(transaction, 'sign_in_changed', { email: account.email, change: 'two_factor_removed' })
    return { data: { name: account.name }, ...(mail !== null && { afterCommit: mail.wake }) }
  },
})
