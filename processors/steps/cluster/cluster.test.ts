import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { ownClaimId } from '../../../model/claims/start-claims.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { next, retry } from '../../framework/step.ts'
import { vectorAt } from '../testing.ts'
import {
  type ClusterKit,
  EXPORT,
  EXPORT_AGAIN,
  judging,
  LOGIN,
  no,
  type StoredSignal,
  startClusterKit,
  yes,
} from './testing.ts'

let kit: ClusterKit
before(async () => {
  kit = await startClusterKit()
})
after(() => kit.stop())

test('a problem starts an emerging claim, an idea an opportunity, anything else nothing', async () => {
  const id = await kit.workspace()
  const batch = await kit.stored(
    id,
    [`Hi!\n${EXPORT}. We see it daily.`],
    ['Please add a dark mode', { label: 'idea' }],
    ['Where is the billing page?', { label: 'question' }],
    ['Nothing in particular', { label: 'unclassified' }],
  )
  const own = ({ signal_id }: StoredSignal) => next({}, { claimId: ownClaimId(signal_id) })
  assert.deepEqual(await kit.cluster(batch), [own(batch[0]), own(batch[1]), next({}), next({})])
  assert.deepEqual(await kit.cluster(batch), [next({}), next({}), next({}), next({})], 'delivered again')
  assert.deepEqual(await kit.claims(id), [
    { id: ownClaimId(batch[0].signal_id), number: 1, kind: 'problem', title: `${EXPORT}.`, state: 'emerging' },
    {
      id: ownClaimId(batch[1].signal_id),
      number: 2,
      kind: 'opportunity',
      title: 'Please add a dark mode',
      state: 'emerging',
    },
  ])
  assert.deepEqual(
    (await kit.evidence(id)).map(row => [row.signal_id, row.attached_by]),
    [
      [batch[0].signal_id, 'cluster'],
      [batch[1].signal_id, 'cluster'],
    ],
  )
})

test('without a judge nothing merges: what is near waits as a proposal, what is not does not', async () => {
  const id = await kit.workspace()
  const [first] = await kit.stored(id, [EXPORT])
  await kit.cluster([first])
  const [near, far] = await kit.stored(id, [EXPORT_AGAIN], [LOGIN])
  await kit.cluster([near, far])
  assert.equal((await kit.claims(id)).length, 3)
  const waiting = (await kit.proposals(id)).filter(({ state }) => state === 'waiting')
  assert.deepEqual(waiting, [
    {
      claim_id: ownClaimId(near.signal_id),
      candidate_claim_id: ownClaimId(first.signal_id),
      state: 'waiting',
      decided_by: null,
    },
  ])
})

test('identical vectors merge nothing when the judge says no, and the refusal is remembered', async () => {
  const id = await kit.workspace()
  const [first, second] = await kit.stored(
    id,
    [EXPORT, { vector: vectorAt(1) }],
    [EXPORT_AGAIN, { vector: vectorAt(1) }],
  )
  const { judge, asked } = judging(no)
  await kit.cluster([first], judge)
  await kit.cluster([second], judge)
  assert.deepEqual(asked, [EXPORT])
  assert.equal((await kit.claims(id)).length, 2)
  assert.deepEqual(
    (await kit.proposals(id)).map(row => [row.state, row.decided_by]),
    [['refused', 'test-judge']],
  )
})

test('a judge’s yes attaches the signal to the candidate’s claim, with its reason', async () => {
  const id = await kit.workspace()
  const [first, second] = await kit.stored(id, [EXPORT], [EXPORT_AGAIN])
  const { judge } = judging(yes)
  await kit.cluster([first], judge)
  await kit.cluster([second], judge)
  assert.equal((await kit.claims(id)).length, 1)
  assert.deepEqual((await kit.evidence(id))[1], {
    claim_id: ownClaimId(first.signal_id),
    signal_id: second.signal_id,
    attached_by: 'judge',
    actor: 'test-judge',
    reason: 'Both tell of it.',
    origins: [],
    lost_candidates: [],
  })
  assert.deepEqual(await kit.proposals(id), [])
})

test('signals of one batch find each other, in their order', async () => {
  const id = await kit.workspace()
  const batch = await kit.stored(id, [EXPORT], [LOGIN], [EXPORT_AGAIN])
  await kit.cluster(
    batch,
    judging((signal, candidate) => (signal === EXPORT_AGAIN && candidate === EXPORT ? yes() : no())).judge,
  )
  assert.deepEqual(
    (await kit.evidence(id)).map(row => row.claim_id),
    [ownClaimId(batch[0].signal_id), ownClaimId(batch[1].signal_id), ownClaimId(batch[0].signal_id)],
  )
})

test('a redelivery changes nothing and asks nobody', async () => {
  const id = await kit.workspace()
  const batch = await kit.stored(id, [EXPORT], [EXPORT_AGAIN], [LOGIN])
  await kit.cluster(batch, judging(no).judge)
  const before = [await kit.claims(id), await kit.evidence(id), await kit.proposals(id)]
  const { judge, asked } = judging(yes)
  await kit.cluster([...batch, ...batch], judge)
  assert.deepEqual([await kit.claims(id), await kit.evidence(id), await kit.proposals(id)], before)
  assert.deepEqual(asked, [])
})

test('a judge that is away stops the batch with nothing written, one that stumbles sends back the signal alone', async () => {
  const id = await kit.workspace()
  const [first] = await kit.stored(id, [EXPORT])
  await kit.cluster([first])
  const [near, far] = await kit.stored(id, [EXPORT_AGAIN], ['Payment by card is declined', { vector: vectorAt(1) }])
  await assert.rejects(kit.cluster([near, far], judging(() => new AssayError('unavailable', 'Away.')).judge), {
    code: 'unavailable',
  })
  assert.equal((await kit.claims(id)).length, 1)
  const stumbling = judging(signal => (signal === EXPORT_AGAIN ? new AssayError('timeout', 'Too slow.') : no()))
  assert.deepEqual(await kit.cluster([near, far], stumbling.judge), [
    retry('Too slow.'),
    next({}, { claimId: ownClaimId(far.signal_id) }),
  ])
  assert.equal((await kit.claims(id)).length, 2)
})

test('a malformed verdict is no yes: the pair waits as a proposal', async () => {
  const id = await kit.workspace()
  const [first, second] = await kit.stored(id, [EXPORT], [EXPORT_AGAIN])
  await kit.cluster([first])
  await kit.cluster([second], judging(() => new AssayError('internal', 'No usable verdict.')).judge)
  assert.deepEqual(
    (await kit.proposals(id)).map(row => row.state),
    ['waiting'],
  )
})

test('a verdict keeps the candidates that lost; one that the judge was not asked about is kept for people', async () => {
  const id = await kit.workspace()
  const others = [EXPORT, 'Invoice export: timeout', 'Export of invoices times out and fails']
  for (const text of others) await kit.cluster(await kit.stored(id, [text]), judging(no).judge)
  // As if nobody had compared the claims with each other.
  await kit.db.pool.query('delete from merge_proposals where workspace_id = $1', [id])
  const [signal] = await kit.stored(id, [EXPORT_AGAIN])
  const answers = [no(), yes()]
  await kit.cluster([signal], judging(() => answers.shift() ?? assert.fail('It was asked once more.')).judge)
  const attached = (await kit.evidence(id)).at(-1)
  assert.deepEqual(
    attached?.lost_candidates.map((one: Record<string, unknown>) => [one.verdict, one.by, one.reason]),
    [
      ['refused', 'test-judge', 'Different roots.'],
      ['undecided', null, 'The judge was not asked about it: it had found a likelier one.'],
    ],
  )
  const [unasked] = attached?.lost_candidates.slice(1) ?? []
  const { rows } = await kit.db.pool.query(
    'select claim_id, candidate_claim_id, decided_by, reason from merge_proposals where workspace_id = $1',
    [id],
  )
  const pair = { claim_id: attached?.claim_id, candidate_claim_id: unasked.claim_id }
  assert.deepEqual(rows, [{ ...pair, decided_by: null, reason: unasked.reason }])
})

test('a judge is asked about three candidates at most, the likeliest first, and each pair keeps its chance', async () => {
  const id = await kit.workspace()
  const others = [
    EXPORT,
    'Invoice export: timeout',
    'The invoice export hangs',
    'Export of invoices times out and fails',
  ]
  for (const text of others) await kit.cluster(await kit.stored(id, [text]), judging(no).judge)
  const [signal] = await kit.stored(id, [EXPORT_AGAIN])
  const { judge, asked } = judging(no)
  await kit.cluster([signal], judge)
  assert.equal(asked.length, 3)
  const { rows } = await kit.db.pool.query(
    `select claims.statement, chance from merge_proposals join claims on claims.id = candidate_claim_id
     where claim_id = $1 order by chance desc`,
    [ownClaimId(signal.signal_id)],
  )
  assert.deepEqual(
    rows.map(({ statement }) => statement),
    asked,
  )
  assert.ok(rows.every(({ chance }) => chance > 0 && chance < 1))
})

test('people are asked about a claim of the other kind', async () => {
  const id = await kit.workspace()
  await kit.cluster(await kit.stored(id, [EXPORT, { label: 'idea' }]))
  await kit.cluster(await kit.stored(id, [EXPORT_AGAIN]))
  assert.equal((await kit.claims(id)).length, 2)
  assert.equal((await kit.proposals(id)).length, 1)
})

test('a question that may be a problem gets a claim where people are asked about the two, whichever came first', async () => {
  for (const asking of ['question', 'unclassified'] as const) {
    const id = await kit.workspace()
    const [question, problem, far] = await kit.stored(
      id,
      [EXPORT, { label: asking }],
      [EXPORT_AGAIN],
      [LOGIN, { label: asking }],
    )
    assert.deepEqual(await kit.cluster([question, far]), [next({}), next({})])
    const own = next({}, { claimId: ownClaimId(problem.signal_id) })
    assert.deepEqual(await kit.cluster([problem]), [own])
    const [again] = await kit.stored(id, ['Does the invoice export fail with a timeout?', { label: asking }])
    await kit.cluster([again])
    await kit.cluster([question, problem, far, again])
    const claims = await kit.claims(id)
    assert.deepEqual(
      claims.map(claim => [claim.id, claim.kind]),
      [problem, question, again].map(({ signal_id }) => [ownClaimId(signal_id), 'problem']),
    )
    const ofProblem = (await kit.proposals(id)).find(({ claim_id }) => claim_id === ownClaimId(problem.signal_id))
    assert.equal(ofProblem?.candidate_claim_id, ownClaimId(question.signal_id))
    assert.ok((await kit.proposals(id)).every(({ state }) => state === 'waiting'))
  }
})

test('nobody is asked about what surely says nothing, whichever came first', async () => {
  const id = await kit.workspace()
  const [thanks, problem, again] = await kit.stored(
    id,
    [EXPORT, { label: 'unclassified', confidence: 0.9 }],
    [EXPORT_AGAIN],
    ['Does the invoice export fail with a timeout?', { label: 'unclassified', confidence: 0.9 }],
  )
  for (const one of [thanks, problem, again]) await kit.cluster([one])
  assert.deepEqual(
    (await kit.claims(id)).map(claim => claim.id),
    [ownClaimId(problem.signal_id)],
  )
  assert.deepEqual(await kit.proposals(id), [])
})

test('what nobody could classify starts the claim of the need that it likely speaks of, and so does such a question', async () => {
  const id = await kit.workspace()
  const stored = await kit.stored(
    id,
    [EXPORT, { label: 'unclassified', confidence: 0.3, perhaps: 'idea' }],
    ['The map is blank in the evening.', { label: 'question', perhaps: 'problem' }],
    ['Greetings from the harbour', { label: 'unclassified', confidence: 0.9 }],
    ['Wherever the meadow ends', { label: 'unclassified', confidence: 0.5 }],
  )
  await kit.cluster(stored)
  await kit.cluster(stored)
  const kinds = new Map((await kit.claims(id)).map(claim => [claim.id, claim.kind]))
  assert.deepEqual(
    stored.map(({ signal_id }) => kinds.get(ownClaimId(signal_id))),
    ['opportunity', 'problem', undefined, undefined],
  )
})

test('what likely speaks of a need is a candidate in its own batch, as a problem or an idea is', async () => {
  const id = await kit.workspace()
  const [first, second] = await kit.stored(
    id,
    [EXPORT, { label: 'unclassified', confidence: 0.3, perhaps: 'problem' }],
    [EXPORT_AGAIN, { label: 'unclassified', confidence: 0.3, perhaps: 'problem' }],
  )
  await kit.cluster([first, second])
  const [proposal, ...more] = await kit.proposals(id)
  assert.deepEqual(
    [proposal?.claim_id, proposal?.candidate_claim_id, more.length],
    [ownClaimId(second.signal_id), ownClaimId(first.signal_id), 0],
  )
})

test('of a batch too, a question gets a claim of the kind of what it may be', async () => {
  const id = await kit.workspace()
  const [question, idea] = await kit.stored(id, [EXPORT, { label: 'question' }], [EXPORT_AGAIN, { label: 'idea' }])
  await kit.cluster([question, idea])
  assert.deepEqual(
    (await kit.claims(id)).map(({ kind }) => kind),
    ['opportunity', 'opportunity'],
  )
  assert.equal((await kit.proposals(id)).length, 1)
})

test('a question gets no claim for another question, for a judge, below the bar, or against what a person said', async () => {
  const cases: [string, 'question' | 'problem', (id: WorkspaceId, first: StoredSignal) => Promise<unknown>][] = [
    ['another question', 'question', async () => undefined],
    [
      'below the bar',
      'problem',
      id => kit.db.pool.query('insert into proposal_bars (workspace_id, bar) values ($1, 0.99)', [id]),
    ],
    [
      'a person said that it is a question',
      'problem',
      (_, { signal_id }) =>
        kit.db.pool.query(`update signals set classification_version = 'member' where id = $1`, [signal_id]),
    ],
    [
      'a code host told of it',
      'problem',
      (_, { signal_id }) => kit.db.pool.query(`update signals set channel = 'code_host' where id = $1`, [signal_id]),
    ],
    [
      'a person dismissed it',
      'problem',
      (_, { signal_id }) => kit.db.pool.query(`update signals set state = 'dismissed' where id = $1`, [signal_id]),
    ],
    [
      'a person took it out of its claim',
      'problem',
      (id, { signal_id }) =>
        kit.db.pool.query(
          `insert into claims (id, workspace_id, number, kind, title, statement, state) values ($2, $1, 99, 'problem', 'x', 'x', 'dismissed')`,
          [id, ownClaimId(signal_id)],
        ),
    ],
  ]
  const askedBy = judging(yes)
  for (const judge of [null, askedBy.judge]) {
    for (const [what, label, before] of judge === null ? cases : cases.slice(0, 1)) {
      const id = await kit.workspace()
      const [first] = await kit.stored(id, [EXPORT, { label: 'question' }])
      await kit.cluster([first], judge)
      await before(id, first)
      await kit.cluster(await kit.stored(id, [EXPORT_AGAIN, { label }]), judge)
      const attached = (await kit.evidence(id)).filter(({ signal_id }) => signal_id === first.signal_id)
      assert.deepEqual([attached, await kit.proposals(id)], [[], []], what)
    }
  }
  assert.deepEqual(askedBy.asked, [])

  const id = await kit.workspace()
  await kit.cluster(await kit.stored(id, [EXPORT]))
  const [commit] = await kit.stored(id, [EXPORT_AGAIN, { label: 'unclassified' }])
  await kit.cluster([{ ...commit, channel: 'code_host' }])
  assert.deepEqual(await kit.proposals(id), [])
})

test('the two best of what is hardly the same are set aside, for those who ask', async () => {
  const id = await kit.workspace()
  for (const text of [LOGIN, 'The login by a fingerprint fails', 'The login form forgets my name'])
    await kit.cluster(await kit.stored(id, [text]))
  const before = (await kit.proposals(id)).length
  await kit.cluster(await kit.stored(id, ['My mailbox is full of invoices from another customer']))
  const added = (await kit.proposals(id)).slice(before)
  assert.deepEqual(
    added.map(({ state }) => state),
    ['set_aside', 'set_aside'],
  )
})

test('twins of one batch make one claim when the judge says so, and wait for a person without a judge', async () => {
  for (const [judge, count, states] of [
    [judging(yes).judge, 1, []],
    [null, 2, ['waiting']],
    [judging(no).judge, 2, ['refused']],
  ] as const) {
    const id = await kit.workspace()
    const twins = await kit.stored(id, [EXPORT, { vector: vectorAt(1) }], [`${EXPORT}!`, { vector: vectorAt(1) }])
    await kit.cluster(twins, judge)
    assert.equal((await kit.claims(id)).length, count)
    assert.deepEqual(
      (await kit.proposals(id)).map(row => row.state),
      states,
    )
  }
})

test('a judge that answers nobody counts as away: the batch waits, instead of asking call by call', async () => {
  const id = await kit.workspace()
  await kit.cluster(await kit.stored(id, [EXPORT]))
  const batch: StoredSignal[] = []
  for (let number = 0; number < 20; number += 1) {
    batch.push(...(await kit.stored(id, [`${EXPORT_AGAIN}, case ${number}`])))
  }
  const { judge, asked } = judging(() => new AssayError('timeout', 'Too slow.'))
  await assert.rejects(kit.cluster(batch, judge), { code: 'unavailable' })
  assert.ok(asked.length < batch.length, `${asked.length} calls`)
  assert.equal((await kit.claims(id)).length, 1)
})

test('neither another workspace nor a dismissed claim gives candidates', async () => {
  const [one, two] = await kit.db.workspaces(2)
  assert.ok(one && two)
  const elsewhere = await kit.stored(two, [EXPORT])
  const here = await kit.stored(one, [`${EXPORT} too`])
  await kit.cluster(elsewhere)
  await kit.cluster(here)
  await kit.db.pool.query(`update claims set state = 'dismissed' where workspace_id = $1`, [one])
  const { judge, asked } = judging(yes)
  await kit.cluster(await kit.stored(one, [EXPORT_AGAIN]), judge)
  assert.deepEqual(asked, [])
})

test('a judge joins signals of different kinds, and the claim has the kind that its evidence mostly has', async () => {
  const id = await kit.workspace()
  const { judge } = judging(yes)
  const kinds = async () => (await kit.claims(id)).map(({ kind }) => kind)
  const [idea] = await kit.stored(id, [EXPORT, { label: 'idea' }])
  await kit.cluster([idea], judge)
  assert.deepEqual(await kinds(), ['opportunity'])
  await kit.cluster(await kit.stored(id, [EXPORT_AGAIN]), judge)
  assert.deepEqual(await kinds(), ['problem'], 'of as many of either kind it is a problem')
  for (const again of ['again', 'once more'])
    await kit.cluster(await kit.stored(id, [`${EXPORT_AGAIN} ${again}`, { label: 'idea' }]), judge)
  assert.deepEqual(await kinds(), ['opportunity'])
  await kit.cluster(await kit.stored(id, [`${EXPORT_AGAIN}?`, { label: 'question' }]), judge)
  assert.deepEqual(await kinds(), ['opportunity'])
  assert.equal((await kit.evidence(id)).length, 5)

  await kit.db.pool.query(`update claims set kind = 'problem', kind_decided = true where workspace_id = $1`, [id])
  await kit.cluster(await kit.stored(id, [`${EXPORT_AGAIN}!`, { label: 'idea' }]), judge)
  assert.deepEqual(await kinds(), ['problem'], 'a person said so')
})

test('a judge’s yes gives a question its claim with what came later, and its no gives it none', async () => {
  for (const [answer, claims] of [
    [yes, ['problem']],
    [no, ['problem']],
  ] as const) {
    const id = await kit.workspace()
    const { judge, asked } = judging(answer)
    const [question] = await kit.stored(id, [`${EXPORT}?`, { label: 'question' }])
    await kit.cluster([question], judge)
    assert.deepEqual([(await kit.claims(id)).length, asked.length], [0, 0])
    const [problem] = await kit.stored(id, [EXPORT_AGAIN])
    await kit.cluster([problem], judge)
    assert.deepEqual(asked, [`${EXPORT}?`])
    assert.deepEqual(
      (await kit.claims(id)).map(({ kind }) => kind),
      claims,
    )
    const evidence = (await kit.evidence(id)).map(({ signal_id, attached_by }) => [signal_id, attached_by])
    const own = [problem.signal_id, answer === yes ? 'judge' : 'cluster']
    assert.deepEqual(evidence, answer === yes ? [[question.signal_id, 'cluster'], own] : [own])
  }
})

test('a problem brings questions together that nobody compared, as far as the judge says so', async () => {
  const id = await kit.workspace()
  const { judge, asked } = judging((_, candidate) => (candidate.includes('today') ? no() : yes()))
  const questions = await kit.stored(
    id,
    [`${EXPORT}?`, { label: 'question' }],
    [`${EXPORT} again?`, { label: 'question' }],
    [`${EXPORT} today?`, { label: 'question' }],
  )
  await kit.cluster(questions, judge)
  assert.deepEqual(asked, [], 'two questions are not compared')
  const [problem] = await kit.stored(id, [EXPORT_AGAIN])
  await kit.cluster([problem], judge)
  assert.equal(asked.length, 3)
  const [first, second] = questions
  const [claim] = await kit.claims(id)
  assert.equal(claim?.kind, 'problem')
  assert.deepEqual(
    (await kit.evidence(id)).map(({ signal_id, claim_id }) => [signal_id, claim_id]),
    [first, second, problem].map(({ signal_id }) => [signal_id, claim?.id]),
  )
})
