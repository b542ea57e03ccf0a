import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { sha256 } from '../../infra/runtime/secrets.ts'
import { hasAccounts } from '../../model/accounts/accounts.ts'
import { opensSignUp } from '../../model/members/invitations.ts'

export const SIGN_UP_MODES = ['open', 'invited', 'closed'] as const
export type SignUpMode = (typeof SIGN_UP_MODES)[number]

/**
 * People who can sign up now. `first`: everybody while there is no account; the first person becomes the administrator.
 */
export type SignUpPolicy = 'everyone' | 'first' | 'invited' | 'nobody'

/** Fields of a new account; the trigger `admit_account` checks them against concurrent sign-ups. */
export interface NewAccountFields {
  readonly admittedBy: 'open' | 'first' | 'invitation'
  readonly invitationHash?: string
  /**
   * Present when the account can sign in only after its address is verified. The first account never has it: nobody
   * could admit that person.
   */
  readonly mustVerify?: true
}

/** The refusal of an invalid link, the same for every reason. */
export const invalidInvitation = (code: 'not_found' | 'forbidden'): AssayError =>
  new AssayError(
    code,
    'This invitation is not valid: it has expired, was used or was revoked, or its link is not complete. Ask an owner of the workspace for another.',
  )

const CLOSED = 'Nobody can sign up: whoever runs this installation has closed it. Those who have an account sign in.'
const BY_INVITATION =
  'This installation is by invitation. Ask an owner of a workspace for a link (Settings → Members), open it, and create your account there.'

export const createSignUpCheck = (database: Database, mode: SignUpMode, requireVerified: boolean) => {
  const verified = requireVerified ? ({ mustVerify: true } as const) : {}
  const read = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    database.transaction({ role: 'assay_accounts' }, work)

  const admitting = async (): Promise<{ readonly sign_up: SignUpPolicy; readonly has_accounts: boolean }> => {
    const has = await read(hasAccounts)
    const invited = has ? 'invited' : 'first'
    return { sign_up: ({ open: 'everyone', closed: 'nobody', invited } as const)[mode], has_accounts: has }
  }

  return {
    /** People who can sign up, and the presence of accounts: strangers learn no more. */
    admitting,
    /**
     * Fields for a person with an invitation's token or without one. Rejects with `forbidden`, the same for every
     * address.
     */
    admit: async (token: string | undefined): Promise<NewAccountFields> => {
      const { sign_up: whom } = await admitting()
      if (whom === 'first') return { admittedBy: 'first' }
      if (whom === 'nobody') throw new AssayError('forbidden', CLOSED)
      const hash = token === undefined ? null : sha256(token)
      if (hash !== null && (await read(transaction => opensSignUp(transaction, hash))))
        return { admittedBy: 'invitation', invitationHash: hash.toString('hex'), ...verified }
      if (whom === 'everyone') return { admittedBy: 'open', ...verified }
      throw token === undefined ? new AssayError('forbidden', BY_INVITATION) : invalidInvitation('forbidden')
    },
  }
}

export type SignUpCheck = ReturnType<typeof createSignUpCheck>
