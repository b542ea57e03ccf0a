import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { sha256 } from '../../infra/runtime/secrets.ts'
import { hasAccounts } from '../../model/accounts/accounts.ts'
import { opensSignUp } from '../../model/members/invitations.ts'

export const SIGN_UP_MODES = ['open', 'invited', 'closed'] as const
export type SignUpMode = (typeof SIGN_UP_MODES)[number]

/**
 * Whom the installation lets sign up now. `first`: whoever comes, as there is no account yet; who does is the
 * administrator.
 */
export type SignUpPolicy = 'everyone' | 'first' | 'invited' | 'nobody'

/**
 * What the library stores with a new account; the trigger `admit_account` holds it to that, whoever else signs up
 * meanwhile.
 */
export interface NewAccountFields {
  readonly admittedBy: 'open' | 'first' | 'invitation'
  readonly invitationHash?: string
  /** Whether it may sign in only once its address is verified. Never the first one: nobody could let it in. */
  readonly mustVerify?: true
}

/** For a link that opens nothing, whatever the reason. */
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
    /** Whom it admits, and whether anybody has an account yet: no more is told to strangers. */
    admitting,
    /**
     * How somebody with the token of an invitation, or without, comes in. Rejects with `forbidden`, the same for every
     * address.
     */
    admit: async (token: string | undefined): Promise<NewAccountFields> => {
      const { sign_up: whom } = await admitting()
      if (whom === 'everyone') return { admittedBy: 'open', ...verified }
      if (whom === 'first') return { admittedBy: 'first' }
      if (whom === 'nobody') throw new AssayError('forbidden', CLOSED)
      if (token === undefined) throw new AssayError('forbidden', BY_INVITATION)
      const hash = sha256(token)
      if (!(await read(transaction => opensSignUp(transaction, hash)))) throw invalidInvitation('forbidden')
      return { admittedBy: 'invitation', invitationHash: hash.toString('hex'), ...verified }
    },
  }
}

export type SignUpCheck = ReturnType<typeof createSignUpCheck>
