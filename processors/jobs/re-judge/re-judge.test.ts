import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Judge, Verdict } from '../../../infra/models/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { proposeMerges } from '../../../model/merges/propose-merges.ts'
import { mergeOfClaim, undoMerge } from '../../../model/merges/undo-merge.ts'
import { type ClaimId, newId, type SolutionId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { addSignals, newWorkspace, runJob, runJobThroughCrash } from '../testing.ts'
import { createReJudgeJob } from './re-judge.ts'

let db: TestDatabase
let workspace: WorkspaceId
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
beforeEach(async () => {
  workspace = await newWorkspace(db)
})

const query = async (statement: string, values: readonly unknown[] = [workspace]) =>
  (await db.pool.query(statement, [...values])).rows

type Answer = Verdict | AssayError
const yes: Answer = { sameRootProblem: true, reason: 'Both tell of it.' }
const no: Answer = { sameRootProblem: false, reason: 'Different roots.' }
const malformed = new AssayError('internal', 'The model gave no usable verdict.')
const slow = new AssayError('timeout', 'It took too long.')
const away = new AssayError('unavailable', 'Away.')

const judging = (answer: (signal: string, candidate: string) => Answer, model = 'test-judge') => {
  const asked: string[] = []
  const judge: Judge = {
    model,
    judge: async (signal, candidate) => {
      asked.push(`${signal} / ${candidate}`)
      const said = answer(signal, candidate)
      if (said instanceof AssayError) throw said
      return said
    },
  }
  return { judge, asked }
}

const job = (judge: Judge | null) => createReJudgeJob({ database: db.database, judge })

interface Seeded {
  readonly id: ClaimId
  readonly text: string
}

/** A claim with the signal that started it. */
const claim = async (text: string, id: WorkspaceId = workspace): Promise<Seeded> => {
  const [signal] = await addSignals(db, id, [text])
  const claimId = newId<ClaimId>()
  await query(
    `insert into claims (id, workspace_id, number, kind, title, statement)
     select $1, $2, coalesce(max(number), 0) + 1, 'problem', 'A title', 'A statement' from claims where workspace_id = $2`,
    [claimId, id],
  )
  await query(
    `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
     values ($1, $2, $3, 'cluster', 'test', 'It started the claim.')`,
    [id, claimId, signal],
  )
  return { id: claimId, text }
}

const propose = (one: Seeded, other: Seeded, id: WorkspaceId = workspace, rejectedBy: string | null = null) =>
  db.database.transaction({ role: 'assay_pipeline', workspaceIds: [id] }, transaction =>
    proposeMerges(transaction, [
      {
        workspaceId: id,
        claimId: one.id,
        candidateClaimId: other.id,
        score: 0.03,
        similarity: 0.7,
        chance: 0.1,
        reason: 'They are near.',
        rejectedBy,
      },
    ]),
  )

/** As many proposals as texts, each to a claim of its own. */
const proposals = async (texts: readonly string[]): Promise<void> => {
  for (const text of texts) await propose(await claim(text), await claim(`before ${text}`))
}

const states = (id: WorkspaceId = workspace) =>
  query(
    `select left(signals.text, 20) as text, merge_proposals.state, decided_by, decided_reason, judged_by
     from merge_proposals
     join claim_evidence on claim_evidence.workspace_id = merge_proposals.workspace_id
       and claim_evidence.reason = 'It started the claim.'
       and (claim_evidence.claim_id = merge_proposals.claim_id or merge_proposals.claim_id = any (claim_evidence.origins))
     join signals on signals.id = signal_id
     where merge_proposals.workspace_id = $1 and (merge_proposals.claim_id = any (origins) or origins = '{}')
     order by signals.number`,
    [id],
  )

describe('re_judge', () => {
  it('merges what the judge confirms and refuses what it denies, in its name and with its reason', async () => {
    await proposals(['export', 'login'])
    const [merged] = await query(
      `select claim_id from merge_proposals where workspace_id = $1 order by proposed_at, id`,
    )
    const solution = newId<SolutionId>()
    await query(`insert into solutions (id, workspace_id, number, title) values ($1, $2, 1, 'Mend it')`, [
      solution,
      workspace,
    ])
    await query('insert into solution_claims (workspace_id, solution_id, claim_id) values ($1, $2, $3)', [
      workspace,
      solution,
      merged.claim_id,
    ])
    const { judge, asked } = judging(signal => (signal === 'export' ? yes : no))
    const outcome = await runJob(job(judge), workspace)
    assert.partialDeepStrictEqual(outcome, { done: 2, failed: 0, total: 2, messages: [] })
    assert.deepEqual(asked, ['export / before export', 'login / before login'])
    assert.deepEqual(await states(), [
      {
        text: 'export',
        state: 'confirmed',
        decided_by: 'test-judge',
        decided_reason: 'Both tell of it.',
        judged_by: 'test-judge',
      },
      {
        text: 'login',
        state: 'refused',
        decided_by: 'test-judge',
        decided_reason: 'Different roots.',
        judged_by: 'test-judge',
      },
    ])
    assert.deepEqual(await query('select merged_by, actor, reason from merges where workspace_id = $1'), [
      { merged_by: 'judge', actor: 'test-judge', reason: 'Both tell of it.' },
    ])
    const [survivor] = await query('select merged_into from claims where id = $1', [merged.claim_id])
    assert.deepEqual(await query('select claim_id from solution_claims where workspace_id = $1'), [
      { claim_id: survivor.merged_into },
    ])
  })

  for (const [what, answer] of [
    ['is malformed', malformed],
    ['came too late', slow],
  ] as const) {
    it(`leaves a pair waiting when the verdict ${what}, says so, and asks this judge no more by itself`, async () => {
      await proposals(['export', 'login'])
      const { judge, asked } = judging(signal => (signal === 'export' ? answer : no))
      const outcome = await runJob(job(judge), workspace)
      assert.partialDeepStrictEqual(outcome, { done: 2, failed: 1, messages: [answer.publicMessage] })
      assert.deepEqual(
        (await states()).map(({ state, judged_by }) => [state, judged_by]),
        [
          ['waiting', 'test-judge'],
          ['refused', 'test-judge'],
        ],
      )
      assert.partialDeepStrictEqual(await runJob(job(judge), workspace), { done: 0, total: 0 })
      assert.equal(asked.length, 2)
    })
  }

  it('asks again about what had no verdict when a person wants it, and another judge about all that wait', async () => {
    await proposals(['export', 'login'])
    await runJob(job(judging(() => malformed).judge), workspace)
    const second = judging(signal => (signal === 'export' ? malformed : no))
    assert.partialDeepStrictEqual(await runJob(job(second.judge), workspace, { input: { again: true } }), {
      done: 2,
      failed: 1,
      total: 2,
    })
    assert.equal(second.asked.length, 2)
    const other = judging(() => yes, 'other-judge')
    assert.partialDeepStrictEqual(await runJob(job(other.judge), workspace), { done: 1, failed: 0, total: 1 })
    assert.deepEqual(
      (await states()).map(({ state, decided_by }) => [state, decided_by]),
      [
        ['confirmed', 'other-judge'],
        ['refused', 'test-judge'],
      ],
    )
  })

  it('goes on after a crash between two slices, with nobody asked twice about what was settled', async () => {
    await proposals(Array.from({ length: 20 }, (_, index) => `text ${index}`))
    const { judge, asked } = judging(() => no)
    await runJobThroughCrash(() => job(judge), workspace)
    assert.equal(asked.length, 20)
    assert.equal(new Set(asked).size, 20)
    assert.ok((await states()).every(({ state }) => state === 'refused'))
  })

  it('waits for a judge that is away, and keeps what it said before it went', async () => {
    await proposals(['export', 'login'])
    const fileDeleted = judging(signal => (signal === 'export' ? no : away))
    const stopped = await runJob(job(fileDeleted.judge), workspace, { after: () => true })
    assert.partialDeepStrictEqual(stopped, { done: 1, failed: 0, total: 2 })
    await assert.rejects(runJob(job(fileDeleted.judge), workspace), away)
    assert.deepEqual(
      (await states()).map(({ state, judged_by }) => [state, judged_by]),
      [
        ['refused', 'test-judge'],
        ['waiting', null],
      ],
    )
  })

  it('takes a judge that is too slow for a whole page as away', async () => {
    await proposals(Array.from({ length: 8 }, (_, index) => `text ${index}`))
    await assert.rejects(runJob(job(judging(() => slow).judge), workspace), { code: 'unavailable' })
    assert.ok((await states()).every(({ state, judged_by }) => state === 'waiting' && judged_by === null))
  })

  it('takes in proposals that arrive meanwhile, and writes nothing about what a person decided meanwhile', async () => {
    await proposals(['export'])
    const decided: Judge = {
      model: 'test-judge',
      judge: async signal => {
        if (signal !== 'export') return { sameRootProblem: false, reason: 'No.' }
        await query(
          `update merge_proposals set state = 'refused', decided_by = 'Somebody', decided_reason = 'I know better.' where workspace_id = $1`,
        )
        await proposals(['login'])
        return { sameRootProblem: true, reason: 'Yes.' }
      },
    }
    assert.partialDeepStrictEqual(await runJob(job(decided), workspace), { done: 2, failed: 0, total: 2 })
    assert.deepEqual(
      (await states()).map(({ state, decided_by }) => [state, decided_by]),
      [
        ['refused', 'Somebody'],
        ['refused', 'test-judge'],
      ],
    )
    assert.deepEqual(await query('select id from merges where workspace_id = $1'), [])
  })

  it('merges claims of two kinds, which have the kind of most of their evidence until that is undone', async () => {
    const bug = await claim('a bug')
    const [wish, another] = [await claim('a wish'), await claim('another wish')]
    await query(`update signals set classification = 'idea' where workspace_id = $1 and text like '%wish'`)
    await query(`update claims set kind = 'opportunity' where id = any ($1::uuid[])`, [[wish.id, another.id]])
    const kind = async () => (await query('select kind from claims where id = $1', [bug.id]))[0].kind
    const { judge } = judging(() => yes)
    await propose(wish, bug)
    await runJob(job(judge), workspace)
    assert.equal(await kind(), 'problem', 'of as many of either kind it is a problem')
    await propose(another, bug)
    assert.partialDeepStrictEqual(await runJob(job(judge), workspace), { done: 1, failed: 0 })
    assert.equal(await kind(), 'opportunity')
    await db.database.transaction({ role: 'assay_app', workspaceId: workspace }, async transaction => {
      const merge = (await mergeOfClaim(transaction, another.id)) ?? assert.fail('it was merged')
      await undoMerge(transaction, merge, { by: 'Owner', reason: 'They are not.', at: new Date(), decisionId: null })
    })
    assert.equal(await kind(), 'problem')

    const known = await claim('a known bug')
    await query('update claims set kind_decided = true where id = $1', [known.id])
    const wishes = [await claim('a third wish'), await claim('a fourth wish')]
    await query(`update signals set classification = 'idea' where workspace_id = $1 and text like '%wish'`)
    for (const one of wishes) await propose(one, known)
    await runJob(job(judge), workspace)
    assert.deepEqual(await query('select kind from claims where id = $1', [known.id]), [{ kind: 'problem' }])
  })

  it('leaves dismissed claims to people, without asking', async () => {
    await proposals(['export', 'login'])
    await query(
      `update claims set state = 'dismissed' where id = (
         select candidate_claim_id from merge_proposals where workspace_id = $1 order by proposed_at desc, id desc limit 1)`,
    )
    const { judge, asked } = judging(() => yes)
    await runJob(job(judge), workspace)
    assert.deepEqual(asked, ['export / before export'])
    assert.deepEqual(
      (await states()).map(({ state, judged_by }) => [state, judged_by]),
      [
        ['confirmed', 'test-judge'],
        ['set_aside', null],
      ],
    )
  })

  it('does not ask again what the step refused in the judge’s name and a person took back', async () => {
    await propose(await claim('export'), await claim('before export'), workspace, 'test-judge')
    await query(`update merge_proposals set state = 'waiting', decided_by = null where workspace_id = $1`)
    const { judge, asked } = judging(() => no)
    await runJob(job(judge), workspace)
    assert.deepEqual(asked, [])
  })

  it('fails with what to do when no judge is configured', async () => {
    await proposals(['export'])
    // The slice throws where it stands; the runner awaits it all the same.
    const slice = async () => runJob(job(null), workspace)
    await assert.rejects(slice, { code: 'invalid_configuration', publicMessage: /JUDGE_URL/ })
  })

  it('does not touch another workspace', async () => {
    const other = await newWorkspace(db)
    await propose(await claim('export', other), await claim('before export', other), other)
    await proposals(['export'])
    await runJob(job(judging(() => yes).judge), workspace)
    assert.deepEqual(
      (await states(other)).map(({ state, judged_by }) => [state, judged_by]),
      [['waiting', null]],
    )
  })
})
