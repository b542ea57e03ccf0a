import { createSignalSource } from '../../test/support/person.ts'
import { fillUp, prepareMix } from '../support/stored-rows.ts'
import { recordSignals } from './recorded.ts'
import type { QuerySubject } from './subject.ts'

export interface Portfolio {
  readonly signals: number
  readonly claims: number
  readonly solutions: number
}

/** With `--largest`: it takes minutes to fill. */
export const LARGEST: Portfolio = { signals: 1_000_000, claims: 5000, solutions: 1000 }

const INSERT_CLAIMS = `
  insert into claims (id, workspace_id, number, kind, title, statement)
  select gen_random_uuid(), $1, number, case number % 4 when 0 then 'opportunity' else 'problem' end, left(text, 90), left(text, 300)
  from generate_series($2::integer, $3::integer) as number
  join lateral (select text from bench_mix where n = number % 3000 offset 0) as mix on true`

/** So many at once that what the triggers gather of them stays in memory. */
const SIGNALS_A_STATEMENT = 50_000

/** Every signal behind one claim; the claims with the lowest numbers have by far the most, as in life. */
const INSERT_EVIDENCE = `
  with next as (
    select id, number from signals where workspace_id = $1 and number > $2 order by number limit ${SIGNALS_A_STATEMENT}
  ), attached as (
    insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
    select $1, claims.id, next.id, 'cluster', 'benchmark', 'It is evidence.'
    from next
    join claims on claims.workspace_id = $1 and claims.number = 1 + floor(power((hashtext(next.id::text) & 65535) / 65536.0, 3) * $3)::integer
  )
  select max(number) as last from next`

const INSERT_SOLUTIONS = `
  insert into solutions (id, workspace_id, number, title, summary, priority_boost, manual_rank)
  select gen_random_uuid(), $1, number, 'Solution ' || number, left(text, 300), 0.5 + number % 4, case when number % 100 = 0 then number end
  from generate_series($2::integer, $3::integer) as number
  join lateral (select text from bench_mix where n = number % 3000 offset 0) as mix on true`

const INSERT_ANSWERS = `
  insert into solution_claims (workspace_id, solution_id, claim_id)
  select $1, solutions.id, claims.id
  from solutions cross join generate_series(0, 3) as step
  join claims on claims.workspace_id = $1 and claims.number = 1 + (solutions.number * 7 + step * 131) % $2
  where solutions.workspace_id = $1
  on conflict do nothing`

/** Fills the workspace up from one size to the next, beside the pipeline, and has the planner look at it. */
export const createPortfolioFiller = async (subject: QuerySubject) => {
  const { pool, workspaceId } = subject
  await prepareMix(pool)
  const { id: source } = await createSignalSource(subject.person)
  let filling = 0
  /** Of the last signal that is evidence. */
  let lastNumber = 0
  let had: Portfolio = { signals: 0, claims: 0, solutions: 0 }
  return async (size: Portfolio): Promise<void> => {
    await fillUp(pool, [workspaceId], filling, { from: had.signals, upTo: size.signals, claims: false, told: true })
    await recordSignals(subject, { after: lastNumber, source })
    await pool.query(INSERT_CLAIMS, [workspaceId, had.claims + 1, size.claims])
    for (;;) {
      const attached = await pool.query<{ last: number | null }>(INSERT_EVIDENCE, [
        workspaceId,
        lastNumber,
        size.claims,
      ])
      const last = attached.rows[0]?.last ?? null
      if (last === null) break
      lastNumber = last
    }
    await pool.query(INSERT_SOLUTIONS, [workspaceId, had.solutions + 1, size.solutions])
    await pool.query(INSERT_ANSWERS, [workspaceId, size.claims])
    await pool.query('vacuum analyze')
    filling += 1
    had = size
  }
}
