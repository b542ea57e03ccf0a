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

/** A workspace with a due letter. The role across workspaces sees nothing else. */
const DUE_WORKSPACES = `
  select distinct workspace_id from dead_letters where state = 'waiting' and next_redrive_at <= now() limit ${MAX_LETTERS}`

/** Due letters. They are hidden from other processors until this one has replayed them, or until `claimMs` is over. */
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
  /** Poll interval without a due letter, ms. */
  readonly intervalMs?: number
  /** Time for which claimed letters are hidden from other processors, ms. */
  readonly claimMs?: number
}

/**
 * Replays due letters in the bulk lane. The dead letters' sink decides when a letter is due. Any number of processors
 * may run. A letter that cannot be replayed is left to people.
 */
export const startRedrive = (options: RedriveOptions): Polling => {
  const { observer, intervalMs = EVERY_MS } = options
  return startPolling({ what: 'The redrive of dead letters', work: () => redriveDue(options), intervalMs, observer })
}

/** Answers true when more letters may be due. */
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
