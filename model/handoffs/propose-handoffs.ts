import type { Transaction } from '../../infra/postgres/port.ts'
import { withinRest } from '../../infra/runtime/cpu-budget.ts'
import { type HandoffSignal, namedInPullRequest } from './pull-request.ts'

/** Numbers that are no Solution of the workspace propose nothing. What is heard late changes nothing that is known to be newer. */
const PROPOSE = `
  insert into handoff_proposals as known
    (workspace_id, solution_id, repository, number, title, url, branch, state, signal_id, occurred_at)
  select proposed.workspace_id, solutions.id, proposed.repository, proposed.number, proposed.title, proposed.url,
    proposed.branch, proposed.state, proposed.signal_id, proposed.occurred_at
  from jsonb_to_recordset($1::jsonb) as proposed
    (workspace_id uuid, solution integer, repository text, number integer, title text, url text, branch text, state text,
     signal_id uuid, occurred_at timestamptz)
  join solutions on solutions.workspace_id = proposed.workspace_id and solutions.number = proposed.solution
  order by solutions.id, proposed.repository, proposed.number
  on conflict (solution_id, repository, number) do update set
    title = excluded.title,
    url = excluded.url,
    branch = excluded.branch,
    state = excluded.state,
    signal_id = excluded.signal_id,
    occurred_at = excluded.occurred_at
  where excluded.occurred_at >= known.occurred_at`

/** What each says, read within what is left of a step's CPU budget. */
const namedIn = (signals: readonly HandoffSignal[]) =>
  withinRest(() => signals.map(signal => [signal, namedInPullRequest(signal)] as const))

/**
 * Records each pull request that names a Solution as a proposal to hand that off, once a Solution and pull request: told again, of a
 * reopening or a merge, it is the same proposal. A proposal moves nothing.
 */
export const proposeHandoffs = async (transaction: Transaction, signals: readonly HandoffSignal[]): Promise<void> => {
  const proposals = new Map<string, { readonly solution: number; readonly occurred_at: Date }>()
  for (const [signal, named] of namedIn(signals)) {
    if (named === null) continue
    const { solutions, ...pull } = named
    const { workspace_id, signal_id } = signal
    const proposal = { ...pull, workspace_id, signal_id, occurred_at: new Date(pull.occurred_at) }
    for (const solution of solutions) {
      // One statement cannot write a row twice: of a batch's news of one pull request the latest is kept.
      const key = [workspace_id, solution, pull.number, pull.repository].join(' ')
      const known = proposals.get(key)
      if (known === undefined || known.occurred_at <= proposal.occurred_at)
        proposals.set(key, { ...proposal, solution })
    }
  }
  if (proposals.size > 0) await transaction.query(PROPOSE, [JSON.stringify([...proposals.values()])])
}
