import type { Transaction } from '../../../infra/postgres/port.ts'
import { pageOfLetters } from '../../../model/dead-letters/page.ts'
import { pipelineScope } from '../../../model/signals/scope.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { type Polling, startPolling } from '../../framework/poll.ts'
import type { Observer } from '../../framework/step.ts'
import {
  type ReplayDependencies,
  replayWaiting,
  SELECT_WAITING_DEAD_LETTER,
  type WaitingDeadLetter,
} from './replay-dead-letters.ts'

const MAX_LETTERS = 100
const EVERY_MS = 1000
const CLAIM_MS = 60_000

/** A workspace with a letter that is due; who works across workspaces sees no more than that. */
const DUE_WORKSPACES = `
  select distinct workspace_id from dead_letters where state = 'waiting' and next_redrive_at <= now() limit ${MAX_LETTERS}`

/**
 * Those that are due, held back from other processors until this one has replayed them, or for a while when it never
 * does.
 */
const CLAIM = `
  with ${pageOfLetters({
    where: `workspace_id = any ($1) and state = 'waiting' and next_redrive_at <= now()`,
    order: 'next_redrive_at',
    limit: MAX_LETTERS,
    lock: 'for update skip locked',
  })}
  update dead_letters set next_redrive_at = now() + $2 * interval '1 millisecond'
  where (signal_id, step) in (select signal_id, step from page)
  returning ${SELECT_WAITING_DEAD_LETTER}`

const LEAVE_TO_PEOPLE = `
  update dead_letters set next_redrive_at = null where (signal_id, step) in (select * from unnest($1::uuid[], $2::text[]))`

export interface RedriveOptions extends ReplayDependencies {
  readonly observer: Observer
  /** How often to look when nothing was due, in milliseconds. */
  readonly intervalMs?: number
  /** How long letters that a processor took are kept from the others, in milliseconds. */
  readonly claimMs?: number
}

/**
 * Drives the letters that are due again, in the bulk lane; the sink says when a letter is due. Any number of processors
 * may do so at once. One that cannot be replayed is left to people.
 */
export const startRedrive = (options: RedriveOptions): Polling => {
  const { observer, intervalMs = EVERY_MS } = options
  return startPolling({ what: 'The redrive of dead letters', work: () => redriveDue(options), intervalMs, observer })
}

/** Answers whether there may be more. */
const redriveDue = async (options: RedriveOptions): Promise<boolean> => {
  const { database, observer, claimMs = CLAIM_MS } = options
  const due = await database.transaction({ role: 'assay_accounts' }, transaction =>
    transaction.query<{ workspace_id: WorkspaceId }>(DUE_WORKSPACES),
  )
  if (due.length === 0) return false
  const deadLetters = await database.transaction(pipelineScope(due), transaction =>
    transaction.query<WaitingDeadLetter>(CLAIM, [due.map(({ workspace_id }) => workspace_id), claimMs]),
  )
  const refusals = await replayWaiting(deadLetters, { lane: 'bulk', fromStep: null, byPerson: false }, options)
  const refused = refusals.map(({ deadLetter }) => deadLetter)
  if (refused.length > 0) {
    await database.transaction(pipelineScope(refused), transaction => leaveToPeople(transaction, refused))
    for (const { deadLetter, message } of refusals) {
      const { signal_id, step } = deadLetter
      observer.note('A dead letter cannot be driven again and waits for a person', { signal_id, step, message })
    }
  }
  return deadLetters.length > 0
}

const leaveToPeople = async (transaction: Transaction, deadLetters: readonly WaitingDeadLetter[]): Promise<void> => {
  await transaction.query(LEAVE_TO_PEOPLE, [
    deadLetters.map(({ signal_id }) => signal_id),
    deadLetters.map(({ step }) => step),
  ])
}
