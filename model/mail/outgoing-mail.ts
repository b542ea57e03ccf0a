import type { Transaction } from '../../infra/postgres/port.ts'
import { newId, type UserId } from '../../schemas/domain/ids.ts'
import type { MailEnd, MailKind } from '../../schemas/domain/vocabulary.ts'

interface NewMail {
  readonly kind: MailKind
  /** Pseudonym of the address. */
  readonly recipient: string
  readonly sealed: Uint8Array
  /** The account that asked for the mail; null when nobody was signed in. */
  readonly askedBy: UserId | null
  /** The mail is given up after this time. */
  readonly hours: number
}

const INSERT = `
  insert into outgoing_mail (id, kind, recipient, sealed, asked_by, expires_at)
  values ($1, $2, $3, $4, $5, now() + $6 * interval '1 hour')
  on conflict do nothing`

/**
 * Sends a mail once the transaction has committed. Does nothing when a link for a new password already waits for the
 * person.
 */
export const insertMail = async (
  transaction: Transaction,
  { kind, recipient, sealed, askedBy, hours }: NewMail,
): Promise<void> => {
  await transaction.query(INSERT, [newId(), kind, recipient, sealed, askedBy, hours])
}

export interface LeasedMail {
  readonly id: string
  readonly lease_id: string
  readonly kind: MailKind
  readonly recipient: string
  readonly sealed: Uint8Array
  readonly tries: number
  readonly expired: boolean
}

/** Longer than a mail server may take. */
const LEASE = `interval '5 minutes'`

const LEASE_NEXT = `
  update outgoing_mail set leased_until = now() + ${LEASE}, lease_id = $1, tries = tries + 1
  where id = (
    select id from outgoing_mail
    where ended is null and not_before <= now() and (leased_until is null or leased_until < now())
    order by not_before, id limit 1 for update skip locked)
  returning id, lease_id, kind, recipient, sealed, tries, expires_at <= now() as expired`

/** Leases the due mail that has waited longest; undefined without one. */
export const leaseNextMail = async (transaction: Transaction): Promise<LeasedMail | undefined> =>
  (await transaction.query<LeasedMail>(LEASE_NEXT, [newId()]))[0]

type Lease = Pick<LeasedMail, 'id' | 'lease_id'>

const END = `
  update outgoing_mail
  set ended = $3, ended_at = now(), sealed = null, leased_until = null, reason = coalesce($4, reason)
  where id = $1 and lease_id = $2`

/** Ends a mail and deletes its text and its address. */
export const endMail = async (
  transaction: Transaction,
  { id, lease_id }: Lease,
  { ended, reason = null }: { readonly ended: MailEnd; readonly reason?: string | null },
): Promise<void> => {
  await transaction.query(END, [id, lease_id, ended, reason])
}

const DROP = `delete from outgoing_mail where id = $1 and lease_id = $2`

/** Drops a mail that has no recipient, such as one to an address without an account. */
export const dropMail = async (transaction: Transaction, { id, lease_id }: Lease): Promise<void> => {
  await transaction.query(DROP, [id, lease_id])
}

const PUT_OFF = `
  update outgoing_mail
  set leased_until = null, not_before = now() + $3 * interval '1 second', reason = $4,
    failing_since = coalesce(failing_since, now())
  where id = $1 and lease_id = $2`

export const putMailOff = async (
  transaction: Transaction,
  { id, lease_id }: Lease,
  { seconds, reason }: { readonly seconds: number; readonly reason: string },
): Promise<void> => {
  await transaction.query(PUT_OFF, [id, lease_id, seconds, reason])
}

const SENT_LATELY = `
  select count(*)::integer as count from outgoing_mail
  where kind = $1 and recipient = $2 and created_at > now() - $3 * interval '1 hour' and ended = 'sent'`

/** Number of mails of a kind that a recipient got in the last hours. */
export const sentLately = async (
  transaction: Transaction,
  { kind, recipient, hours }: Pick<NewMail, 'kind' | 'recipient' | 'hours'>,
): Promise<number> => (await transaction.query<{ count: number }>(SENT_LATELY, [kind, recipient, hours]))[0]?.count ?? 0

const MAILS_OF_LAST_DAY = `
  select count(*) filter (where recipient = $2)::integer as to_them,
    count(*) filter (where asked_by = $3)::integer as by_you
  from outgoing_mail where kind = $1 and created_at > now() - interval '1 day'`

/** Mails of a kind in the last day: to a recipient, and by an account. */
export const countMailsOfLastDay = async (
  transaction: Transaction,
  { kind, recipient, askedBy }: Pick<NewMail, 'kind' | 'recipient' | 'askedBy'>,
): Promise<{ readonly to_them: number; readonly by_you: number }> =>
  (await transaction.query<{ to_them: number; by_you: number }>(MAILS_OF_LAST_DAY, [kind, recipient, askedBy]))[0] ?? {
    to_them: 0,
    by_you: 0,
  }

export interface MailTrouble {
  readonly since: Date
  readonly reason: string
}

// Some servers postpone a stranger's first mail, so one failed try is no trouble. A later success also shows that mail
// goes out.
const TROUBLE = `
  select min(failing_since) over () as since, reason from outgoing_mail as waiting
  where ended is null and failing_since is not null and tries > 1 and not exists (
    select from outgoing_mail as sent where sent.ended = 'sent' and sent.ended_at > waiting.failing_since)
  order by not_before desc limit 1`

/** Start and reason of the trouble with waiting mails; undefined without trouble. */
export const mailTrouble = async (transaction: Transaction): Promise<MailTrouble | undefined> =>
  (await transaction.query<MailTrouble>(TROUBLE))[0]

const FORGET = `delete from outgoing_mail where ended_at < now() - interval '1 day'`

/** Deletes mails that ended more than a day ago, which count no more. */
export const forgetEndedMail = async (transaction: Transaction): Promise<void> => {
  await transaction.query(FORGET)
}
