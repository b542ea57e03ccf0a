import { findAccount } from '../../../model/accounts/accounts.ts'
import { makeAdministrator as make, unmakeAdministrator } from '../../../model/installation/administrators.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'

export const makeAdministrator = writeOperation({
  name: 'make_administrator',
  title: 'Share or hand over the administration',
  summary:
    'Makes the person with an address an administrator of the installation beside you, or in your place. They have an account already. It is recorded who did it.',
  effect: 'write',
  units: 3,
  role: 'administrator',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({
    email: Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.email }),
    transfer_role: Type.Optional(Type.Boolean({ description: 'You are an administrator no more. Default false.' })),
  }),
  output: Type.Object({ user_id: uuid, name: Type.String() }),
  apply: async ({ email, transfer_role = false }, transaction, { caller }) => {
    const account = await findAccount(transaction, email)
    if (account.disabled_at !== null) {
      throw new AssayError('conflict', `The account of ${account.email} is disabled.`)
    }
    const you = { id: caller.userId, name: caller.userName }
    if (transfer_role && account.id === you.id) {
      throw new AssayError('conflict', 'This is you. Hand over to somebody else.')
    }
    await make(transaction, account, you)
    if (transfer_role) await unmakeAdministrator(transaction, you, you)
    return { data: { user_id: account.id, name: account.name } }
  },
})
