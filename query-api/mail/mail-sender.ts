import type { Mailer } from '../../infra/mail/port.ts'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { asAssayError, logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { shareConcurrentRuns, withDeadline } from '../../infra/runtime/promises.ts'
import { sha256 } from '../../infra/runtime/secrets.ts'
import { accountAt, forgetExpiredTokens, makeResetToken, resetLink } from '../../model/accounts/accounts.ts'
import {
  dropMail,
  endMail,
  forgetEndedMail,
  type LeasedMail,
  leaseNextMail,
  putMailOff,
  sentLately,
} from '../../model/mail/outgoing-mail.ts'
import { readDigest } from '../../model/members/digests.ts'
import { opensSignUp } from '../../model/members/invitations.ts'
import { slugOfWorkspace } from '../../model/workspaces/workspaces.ts'
import type { MailQueue } from './mail-queue.ts'
import {
  addressChangedMessage,
  digestMessage,
  invitationMessage,
  type MailContent,
  passwordChangedMessage,
  resetMessage,
  signInChangedMessage,
  verificationMessage,
  type Written,
} from './messages.ts'

interface Options {
  readonly database: Database
  readonly mailer: Mailer
  readonly queue: MailQueue
  readonly baseUrl: string
  readonly log: Pick<Logger, 'warn'>
}

interface MailSender {
  /** Sends due mails until none is left or the mail server is away. Rejects while the database is away. */
  sendDue(): Promise<void>
  /** Starts no other mail; resolves when the present one is sent. */
  stop(): Promise<void>
}

const PAUSES_SECONDS = [30, 60, 300, 900, 1800]
const LONGEST_PAUSE_SECONDS = 3600

/**
 * Sends waiting mails one after the other. Programs side by side share them by leases. When a program ends between the
 * server's acceptance and its own note, the mail is sent again with the same Message-ID; no mail is lost.
 */
export const createMailSender = ({ database, mailer, queue, baseUrl, log }: Options): MailSender => {
  const inAccounts = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    database.transaction({ role: 'assay_accounts' }, work)

  /** The outgoing message; null when nothing is to be sent any more. */
  const written = (mail: LeasedMail) => {
    const content = queue.open(mail)
    return inAccounts(async transaction => {
      const text = await writeMail(transaction, mail, content, baseUrl)
      if (text === null) await dropMail(transaction, mail)
      return text === null ? null : { id: mail.id, to: content.email, ...text }
    })
  }

  /** False when the mail server is away. */
  const send = async (mail: LeasedMail): Promise<boolean> => {
    const { kind } = mail
    if (mail.expired) {
      log.warn({ kind }, 'A mail was not sent in time and is given up.')
      await inAccounts(transaction => endMail(transaction, mail, { ended: 'expired' }))
      return true
    }
    try {
      const message = await written(mail)
      if (message === null) return true
      await mailer.send(message)
    } catch (thrown) {
      const { publicMessage: reason, retriable } = asAssayError(thrown)
      log.warn({ kind, reason, tries: mail.tries }, retriable ? 'A mail waits.' : 'A mail cannot be sent.')
      await inAccounts(transaction =>
        retriable
          ? putMailOff(transaction, mail, {
              seconds: PAUSES_SECONDS[mail.tries - 1] ?? LONGEST_PAUSE_SECONDS,
              reason,
            })
          : endMail(transaction, mail, { ended: 'refused', reason }),
      )
      return !retriable
    }
    await inAccounts(transaction => endMail(transaction, mail, { ended: 'sent' }))
    return true
  }

  let stopped = false
  const sendDue = shareConcurrentRuns(async () => {
    for (let goesOn = true; goesOn && !stopped; ) {
      const mail = await inAccounts(leaseNextMail)
      goesOn = mail !== undefined && (await send(mail))
    }
  })
  return {
    sendDue,
    stop: () => {
      stopped = true
      return sendDue()
    },
  }
}

const EVERY_MS = 5000
const STOP_WITHIN_MS = 5000
const FORGET_EVERY_MS = 3_600_000

/** Sends due mails every few seconds and deletes completed ones. `stop` waits for the present mail. */
export const sendMails = (sender: MailSender, { database, log }: Pick<Options, 'database' | 'log'>) => {
  let isAway = false
  const send = async (): Promise<void> => {
    try {
      await sender.sendDue()
      isAway = false
    } catch (error) {
      // Logged once, not at each round.
      if (!isAway) log.warn(logged(error), 'Mails wait, as the database does not answer.')
      isAway = true
    }
  }
  const sending = setInterval(() => void send(), EVERY_MS).unref()
  const forgetting = forgetMailsHourly(database, log)
  return {
    /** Sends within 50 ms instead of at the next round, because a person waits for the mail. */
    wake: () => void setTimeout(send, 50).unref(),
    stop: async (): Promise<void> => {
      clearInterval(sending)
      clearInterval(forgetting)
      // Another program sends the unsent mails when their leases end.
      await withDeadline(sender.stop(), STOP_WITHIN_MS, 'A mail under way').catch(error =>
        log.warn(logged(error), 'A mail was under way at the end.'),
      )
    },
  }
}

const forgetMailsHourly = (database: Database, log: Options['log']) =>
  setInterval(() => {
    database
      .transaction({ role: 'assay_accounts' }, async transaction => {
        await forgetEndedMail(transaction)
        await forgetExpiredTokens(transaction)
      })
      .catch(error => log.warn(logged(error), 'Mails that were sent could not be forgotten yet.'))
  }, FORGET_EVERY_MS).unref()

/** Most links for a new password to an address in an hour, however often somebody asks. */
export const RESETS_AN_HOUR = 3
const VERIFICATIONS_AN_HOUR = 5

/**
 * Writes a mail when it is sent; null when none is to be sent. The account is looked up only here, after the person who
 * asked has been answered, so the response time does not tell whether the address has an account. A link's life starts
 * when it is sent.
 */
const writeMail = async (
  transaction: Transaction,
  { recipient }: Pick<LeasedMail, 'recipient'>,
  content: MailContent,
  baseUrl: string,
): Promise<Written | null> => {
  switch (content.kind) {
    case 'password_reset': {
      const account = await accountAt(transaction, content.email)
      if (account === undefined || account.disabled_at !== null) return null
      if ((await sentLately(transaction, { kind: content.kind, recipient, hours: 1 })) >= RESETS_AN_HOUR) return null
      return resetMessage(baseUrl, resetLink(baseUrl, await makeResetToken(transaction, account.id)))
    }
    case 'password_changed':
      return passwordChangedMessage(baseUrl, `${baseUrl}/forgot-password`)
    case 'address_changed':
      return addressChangedMessage(baseUrl)
    case 'sign_in_changed':
      return signInChangedMessage(baseUrl, content.change)
    case 'verification':
      if ((await sentLately(transaction, { kind: content.kind, recipient, hours: 1 })) >= VERIFICATIONS_AN_HOUR)
        return null
      return verificationMessage(baseUrl, `${baseUrl}/verify-email#${content.token}`)
    case 'invitation':
      // The invitation was revoked meanwhile, or used by a person who got the link another way.
      if (!(await opensSignUp(transaction, sha256(content.token)))) return null
      return invitationMessage(baseUrl, `${baseUrl}/app/invitation#${content.token}`, content)
    case 'digest': {
      // A person who has left the workspace or turned digests off gets none.
      const chosen = await readDigest(transaction, content.workspaceId, content.userId)
      if (chosen === undefined || chosen.digest === 'never') return null
      return digestMessage(baseUrl, await slugOfWorkspace(transaction, content.workspaceId), content)
    }
  }
}
