import type { Transaction } from '../../infra/postgres/port.ts'
import { sha256 } from '../../infra/runtime/secrets.ts'
import { accountAt } from '../../model/accounts/accounts.ts'
import { makeResetToken, resetLink } from '../../model/accounts/sign-in.ts'
import { type LeasedMail, sentLately } from '../../model/mail/outgoing-mail.ts'
import { readDigest } from '../../model/members/digests.ts'
import { opensSignUp } from '../../model/members/invitations.ts'
import {
  addressChangedLetter,
  changedLetter,
  digestLetter,
  invitationLetter,
  type Letter,
  resetLetter,
  signInChangedLetter,
  verificationLetter,
  type Written,
} from './letters.ts'

/** So many links for a new password go to an address in an hour, however often somebody asks. */
export const RESETS_AN_HOUR = 3
const VERIFICATIONS_AN_HOUR = 5

/**
 * Writes a mail as it is sent; null where there is none to send. Whether anybody has an address is looked up here, behind everybody's back:
 * who asks for a link is answered before. And a link begins to age when it is sent.
 */
export const writeMail = async (
  transaction: Transaction,
  { recipient }: Pick<LeasedMail, 'recipient'>,
  letter: Letter,
  baseUrl: string,
): Promise<Written | null> => {
  switch (letter.kind) {
    case 'password_reset': {
      const account = await accountAt(transaction, letter.email)
      if (account === undefined || account.disabled_at !== null) return null
      if ((await sentLately(transaction, { kind: letter.kind, recipient, hours: 1 })) >= RESETS_AN_HOUR) return null
      return resetLetter(baseUrl, resetLink(baseUrl, await makeResetToken(transaction, account.id)))
    }
    case 'password_changed':
      return changedLetter(baseUrl, `${baseUrl}/forgot-password`)
    case 'address_changed':
      return addressChangedLetter(baseUrl)
    case 'sign_in_changed':
      return signInChangedLetter(baseUrl, letter.change)
    case 'verification':
      if ((await sentLately(transaction, { kind: letter.kind, recipient, hours: 1 })) >= VERIFICATIONS_AN_HOUR)
        return null
      return verificationLetter(baseUrl, `${baseUrl}/verify-email#${letter.token}`)
    case 'invitation':
      // Revoked meanwhile, or followed by whoever got the link another way.
      if (!(await opensSignUp(transaction, sha256(letter.token)))) return null
      return invitationLetter(baseUrl, `${baseUrl}/app/invitation#${letter.token}`, letter)
    case 'digest': {
      // Who has left the workspace meanwhile, or wants no more of them, is told nothing of it.
      const chosen = await readDigest(transaction, letter.workspaceId, letter.userId)
      return chosen === undefined || chosen.digest === 'never' ? null : digestLetter(baseUrl, letter)
    }
  }
}
