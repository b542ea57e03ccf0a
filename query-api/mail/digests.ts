import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { type DueDigest, dueDigests, moveDigestOn } from '../../model/members/digests.ts'
import { readWaitingCounts } from '../../model/workspaces/overview.ts'
import { CHANGE_KINDS, SECTIONS } from '../operations/changes/change-sections.ts'
import type { OutgoingMail } from './mail-queue.ts'
import type { MailContents } from './messages.ts'

const DIGESTS_A_PAGE = 100
/** Items for each kind of change; the app shows all. */
const ITEMS = 5

interface Options {
  readonly database: Database
  readonly mail: Pick<OutgoingMail, 'put'>
  readonly log: Pick<Logger, 'warn'>
  readonly now: () => Date
}

type Changed = Pick<MailContents['digest'], 'waiting' | 'changes'>

/** Changes since the last digest, and waiting work. */
const changedSince = async (transaction: Transaction, from: Date, to: Date): Promise<Changed> => {
  const changes: Changed['changes'][number][] = []
  for (const kind of CHANGE_KINDS) {
    const { count, items } = await SECTIONS[kind].read(transaction, { from, to }, ITEMS)
    if (count === 0) continue
    const shown = items.map(({ reference, title, message }) => ({ reference, title, message }))
    changes.push({ kind, count, items: shown })
  }
  return { changes, waiting: await readWaitingCounts(transaction, to) }
}

/**
 * Queues a mail for each member whose time has come and whose workspace changed. Concurrent programs queue one mail,
 * because the same transaction notes and queues it. Answers the number of mails. Rejects while the database is away.
 */
export const putDueDigests = async ({ database, mail, log, now }: Options): Promise<number> => {
  const inAccounts = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    database.transaction({ role: 'assay_accounts' }, work)

  const put = async (due: DueDigest, to: Date): Promise<number> => {
    const { workspace_id: workspaceId, user_id: userId, workspace, email, digest: every, digest_through: from } = due
    const changed = await database.transaction({ role: 'assay_app', workspaceId }, transaction =>
      changedSince(transaction, from, to),
    )
    return inAccounts(async transaction => {
      if (!(await moveDigestOn(transaction, due, to)) || changed.changes.length === 0) return 0
      const content = { email, workspace, workspaceId, userId, every, from: from.toISOString(), ...changed }
      await mail.put(transaction, 'digest', content)
      return 1
    })
  }

  let mails = 0
  const to = now()
  for (let after: DueDigest | null = null; ; ) {
    const page: DueDigest[] = await inAccounts(transaction => dueDigests(transaction, to, after, DIGESTS_A_PAGE))
    for (const due of page) {
      mails += await put(due, to).catch(error => {
        log.warn({ ...logged(error), workspace_id: due.workspace_id }, 'A digest could not be made; it is tried again.')
        return 0
      })
    }
    after = page.at(-1) ?? null
    if (after === null || page.length < DIGESTS_A_PAGE) return mails
  }
}

const EVERY_MS = 5 * 60_000

/** Queues due digests every 5 minutes. Answers a function that stops it. */
export const putDigestsRegularly = (options: Options, wake: () => void): (() => void) => {
  const timer = setInterval(() => {
    putDueDigests(options).then(
      mails => {
        if (mails > 0) wake()
      },
      error => options.log.warn(logged(error), 'Digests wait, as the database does not answer.'),
    )
  }, EVERY_MS).unref()
  return () => clearInterval(timer)
}
