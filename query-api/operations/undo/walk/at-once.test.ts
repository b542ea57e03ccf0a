import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { violates } from '../../../../infra/postgres/errors.ts'
import type { Transaction } from '../../../../infra/postgres/port.ts'
import { createDatabaseForTests, testDatabaseOn } from '../../../../infra/postgres/testing.ts'
import { isAssayError } from '../../../../infra/runtime/errors.ts'
import { eventually } from '../../../../infra/runtime/testing.ts'
import { describeWithStack } from '../../../../infra/stack/testing.ts'
import { newId } from '../../../../schemas/domain/ids.ts'
import { type OperationsKit, startOperations } from '../../testing.ts'
import { meansOf } from './killed-walker.testing.ts'
import { brokenFact } from './model.testing.ts'
import { moves } from './random-moves.testing.ts'
import { assertKeptCounts } from './stored.testing.ts'
import { beginWalk, carryOut, makeStart, planned } from './walk.testing.ts'

const RACES = 40
const STORMS = process.env.WALKS === 'long' ? 50 : 2
const ACTORS = 6
const MOVES = 40

await describeWithStack(['postgres'], stack => {
  after(() => stack.stop())

  const withKit = async (work: (kit: OperationsKit) => Promise<void>): Promise<void> => {
    const database = testDatabaseOn(await createDatabaseForTests(stack.urls.DATABASE_URL ?? ''))
    try {
      await work(await startOperations(undefined, { stored: database }))
    } finally {
      await database.stop()
    }
  }

  /** What becomes of two transactions that begin together and end in either order. */
  const race = async (kit: OperationsKit, attaches: boolean) => {
    const workspace = await kit.workspace()
    const [signal, other] = [await workspace.signal({ text: 'Loud.' }), await workspace.signal({ text: 'Louder.' })]
    const [claim, into] = [await workspace.claim('Loud'), await workspace.claim('Louder', [other])]
    const { rows } = await kit.database.pool.query(
      `insert into solutions (id, workspace_id, number, title) values ($1, $2, 1, 'Quieter') returning id`,
      [newId(), workspace.id],
    )
    const inIt = (work: (transaction: Transaction) => Promise<unknown>) =>
      kit.database.database.transaction({ role: 'assay_app', workspaceId: workspace.id }, work)
    const hang = inIt(transaction =>
      attaches
        ? transaction.query(
            `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
             values ($1, $2, $3, 'member', 'Owner', 'The same.')`,
            [workspace.id, claim.id, signal.id],
          )
        : transaction.query('insert into solution_claims (workspace_id, solution_id, claim_id) values ($1, $2, $3)', [
            workspace.id,
            rows[0]?.id,
            claim.id,
          ]),
    )
    const merge = inIt(transaction =>
      transaction.query('update claims set merged_into = $2 where id = $1', [claim.id, into.id]),
    )
    const ended = await Promise.allSettled([hang, merge])
    const { rows: hung } = await kit.database.pool.query(
      `select from claims where id = $1 and merged_into is not null and exists (
         select from claim_evidence where claim_id = claims.id union all select from solution_claims where claim_id = claims.id)`,
      [claim.id],
    )
    return { ended, hung: hung.length }
  }

  test('of two who attach to a claim and merge it away at the same moment, without any lock, one is refused', () =>
    withKit(async kit => {
      const refused = [0, 0]
      for (let at = 0; at < RACES; at += 1) {
        const { ended, hung } = await race(kit, at % 2 === 0)
        assert.equal(hung, 0)
        for (const [place, one] of ended.entries()) {
          if (one.status === 'fulfilled') continue
          refused[place] = (refused[place] ?? 0) + 1
          const constraints = ['claim_evidence_of_living_claim', 'solution_claims_of_living_claim']
          assert.ok(
            constraints.some(constraint => violates(one.reason, constraint)),
            String(one.reason),
          )
          assert.ok(isAssayError(one.reason) && one.reason.retriable)
        }
        assert.equal(ended.filter(({ status }) => status === 'rejected').length, 1)
      }
    }))

  type Work = (
    transaction: Transaction,
    ids: { readonly [Name in 'workspace' | 'claim' | 'signal']: string },
  ) => Promise<unknown>
  const REPEATS: Readonly<Record<string, Work>> = {
    comes: (transaction, { workspace, signal }) =>
      transaction.query(
        `insert into occurrences (id, workspace_id, signal_id, reason, similarity, channel, signal_origin, actor_role, occurred_at, received_at)
         values (gen_random_uuid(), $1, $2, 'same_text', 1, 'email', 'customer', 'unknown', now() + interval '1 hour', now() + interval '1 hour')`,
        [workspace, signal],
      ),
    goes: (transaction, { signal }) => transaction.query('delete from occurrences where signal_id = $1', [signal]),
  }
  const EVIDENCE: Readonly<Record<string, Work>> = {
    comes: (transaction, { workspace, claim, signal }) =>
      transaction.query(
        `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
         values ($1, $2, $3, 'cluster', 'test', 'The same.')`,
        [workspace, claim, signal],
      ),
    goes: (transaction, { claim, signal }) =>
      transaction.query('delete from claim_evidence where claim_id = $1 and signal_id = $2', [claim, signal]),
  }
  const WAITS_FOR_A_ROW = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

  test('a repeat that comes or goes while its original becomes evidence, or is none any more, is counted', () =>
    withKit(async kit => {
      for (const [repeatMove, repeat] of Object.entries(REPEATS)) {
        for (const [evidenceMove, evidence] of Object.entries(EVIDENCE)) {
          for (const isRepeatFirst of [true, false]) {
            const workspace = await kit.workspace()
            const [signal, other] = [
              await workspace.signal({ text: 'Loud.' }),
              await workspace.signal({ text: 'Louder.' }),
            ]
            const claim = await workspace.claim('Loud', evidenceMove === 'goes' ? [signal, other] : [other])
            if (repeatMove === 'goes') await workspace.occurrence(signal.id)
            const ids = { workspace: workspace.id, claim: claim.id, signal: signal.id }
            const begun = Promise.withResolvers<void>()
            let isSecondDone = false
            const inIt = (work: (transaction: Transaction) => Promise<unknown>) =>
              kit.database.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspace.id] }, work)
            const [first, second] = isRepeatFirst ? [repeat, evidence] : [evidence, repeat]
            await Promise.all([
              inIt(async transaction => {
                await first(transaction, ids)
                begun.resolve()
                await eventually('the second has done it, or waits', async () => {
                  return isSecondDone || (await kit.database.pool.query(WAITS_FOR_A_ROW)).rowCount !== 0
                })
              }),
              begun.promise
                .then(() => inIt(transaction => second(transaction, ids)))
                .then(() => {
                  isSecondDone = true
                }),
            ])
            const what = `a repeat ${repeatMove}, evidence ${evidenceMove}, the ${isRepeatFirst ? 'repeat' : 'evidence'} first`
            await assert.doesNotReject(assertKeptCounts(meansOf(kit, workspace).asOwner, workspace.id), what)
          }
        }
      }
    }))

  test('after a storm of six actors nothing is stranded, and everything is counted as it is', () =>
    withKit(async kit => {
      for (let storm = 0; storm < STORMS; storm += 1) {
        const workspace = await kit.workspace()
        const start = await makeStart(workspace, (statement, values) => kit.database.pool.query(statement, [...values]))
        const means = meansOf(kit, workspace)
        const shared = await beginWalk(start, means)
        const act = async (): Promise<void> => {
          const [chosen = []] = fc.sample(moves(MOVES, MOVES), 1)
          for (const move of chosen) {
            // By what there is at that moment; others change it meanwhile.
            const seen = { ...(await beginWalk(start, means)), changes: shared.changes, claims: shared.claims }
            const plan = planned(seen, move)
            if (plan === null) continue
            const answer = await carryOut(means, plan).catch(error => {
              if (isAssayError(error) && error.retriable) return null
              throw error
            })
            if (answer === null) continue
            if (answer.data.claim?.is_new || plan.operation === 'split_claim') shared.claims.push(answer.data.claim.id)
            if (answer.changeId === null) continue
            const decision = answer.data.decision?.id ?? null
            const nothing = { differences: new Map(), effects: [], merged: [], undoes: null }
            shared.changes.push({ id: answer.changeId, decision, ...nothing })
          }
        }
        await Promise.all(Array.from({ length: ACTORS }, act))
        assert.equal(brokenFact(await means.facts()), null)
        await assertKeptCounts(means.asOwner, workspace.id)
      }
    }))
})
