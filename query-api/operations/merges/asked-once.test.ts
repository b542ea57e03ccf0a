import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { seededRandom } from '../../../infra/runtime/testing.ts'
import { waitingPairs } from '../decisions/testing.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const call = (operation: string, input: object) => workspace.inApp(operation, input)
const claimOf = async (text: string) => workspace.claim(text, [await workspace.signal({ text })])
const waiting = async (): Promise<number> => (await waitingPairs(workspace)).length

describe('Two claims', () => {
  it('are asked about once when each of them is a pair with what were two claims, and twice again after an undo', async () => {
    const [one, other, third] = [
      await claimOf('Exports fail'),
      await claimOf('Exports hang'),
      await claimOf('No export'),
    ]
    await workspace.proposal(one, third)
    await workspace.proposal(other, third)
    const { meta, data } = await call('merge_claims', { claim_id: one.id, into_claim_id: other.id })
    assert.equal(await waiting(), 1)
    await call('undo_change', { change_id: meta.change_id })
    assert.equal(await waiting(), 2)
    const again = await call('merge_claims', { claim_id: one.id, into_claim_id: other.id })
    assert.equal(await waiting(), 1)
    await call('triage', { action: 'undo', decision_id: again.data.decision.id })
    assert.equal(await waiting(), 2)
    assert.notEqual(again.data.decision.id, data.decision.id)
    const merged = await call('merge_claims', { claim_id: one.id, into_claim_id: other.id, lift_refusal: true })
    assert.ok(merged.data.decision)
    await call('merge_claims', { claim_id: third.id, into_claim_id: other.id })
    assert.equal(await waiting(), 0)
  })

  it('say how many other pairs left with an answer, which an undo brings back', async () => {
    const [one, other, third] = [
      await claimOf('Exports fail'),
      await claimOf('Exports hang'),
      await claimOf('No export'),
    ]
    const pair = await workspace.proposal(one, other)
    await workspace.proposal(one, third)
    await workspace.proposal(other, third)
    const { data, meta } = await call('triage', { action: 'confirm_merge', proposal_id: pair })
    assert.equal(data.also_left, 1)
    assert.equal(await waiting(), 1)
    await call('undo_change', { change_id: meta.change_id })
    assert.equal(await waiting(), 3)
    // Who says the same as another is not asked about again either.
    const same = await claimOf('Exports hang!')
    await workspace.proposal(one, same)
    const refused = await call('triage', { action: 'refuse_merge', proposal_id: pair })
    assert.equal(await waiting(), 4 - 1 - refused.data.also_left)
    await call('undo_change', { change_id: refused.meta.change_id })
    assert.equal(await waiting(), 4)
  })

  it('are not asked about while one of them is dismissed, whoever dismissed it', async () => {
    const [one, other, third] = [
      await claimOf('Exports fail'),
      await claimOf('Exports hang'),
      await claimOf('No export'),
    ]
    await workspace.proposal(one, third)
    await workspace.proposal(other, third)
    const { meta } = await call('update_claim', { claim_id: one.id, state: 'dismissed' })
    assert.equal(await waiting(), 1)
    await call('undo_change', { change_id: meta.change_id })
    assert.equal(await waiting(), 2)
    await call('update_claim', { claim_id: third.id, state: 'dismissed' })
    assert.equal(await waiting(), 0)
    await call('update_claim', { claim_id: third.id, state: 'established' })
    assert.equal(await waiting(), 2)
    const { items } = (await call('lookup_claim', { id: other.id, depth: 'full' })).data.evidence
    await call('triage', { action: 'dismiss', signal_id: items[0].reference, comment: 'It is spam.' })
    assert.equal(await waiting(), 1)
  })
})

describe('Whatever is answered', () => {
  const sql = async (statement: string, values: readonly unknown[]) =>
    (await kit.database.pool.query(statement, [...values])).rows
  const asked = async (): Promise<readonly string[]> => {
    const waits = `select id from merge_proposals where workspace_id = $1 and state = 'waiting' and withdrawn_by is null order by id`
    return (await sql(waits, [workspace.id])).map(({ id }) => id)
  }
  const pairs = async (chances: readonly number[], random = seededRandom(3)) => {
    const claims: Awaited<ReturnType<typeof claimOf>>[] = []
    for (let at = 0; at < 6; at += 1) claims.push(await claimOf(`The export of the board ${at % 3} hangs.`))
    const any = () => claims[Math.floor(random() * claims.length)] ?? assert.fail()
    const known = new Set<string>()
    for (const chance of chances) {
      const [one, other] = [any(), any()]
      const pair = [one.id, other.id].toSorted().join()
      if (one === other || known.has(pair)) continue
      known.add(pair)
      const id = await workspace.proposal(one, other)
      await sql('update merge_proposals set chance = $2 where id = $1', [id, chance])
    }
  }

  for (let seed = 1; seed <= 12; seed += 1)
    it(`what left the list is said, and comes back by undo, as after answer ${seed}`, async () => {
      const random = seededRandom(seed)
      const chances = Array.from({ length: 9 }, () => 0.005 + 0.6 * random())
      await pairs(chances, random)
      const before = await asked()
      const many = seed % 3 === 0 ? before.length : 1 + Math.floor(random() * before.length)
      const proposal_ids = before.toSorted(() => random() - 0.5).slice(0, many)
      const action = seed % 2 === 0 ? 'confirm_merge' : 'refuse_merge'
      const { data, meta } = await call('triage', { action, proposal_ids })
      const after = await asked()
      assert.ok(after.every(id => before.includes(id)))
      assert.equal(before.length - after.length, many + data.also_left, `${action} of ${many}`)
      await call('undo_change', { change_id: meta.change_id })
      assert.deepEqual(await asked(), before)
    })

  it('one press teaches once, however many pairs it settles', async () => {
    const shift = async (): Promise<number> =>
      (await sql('select shift from proposal_bars where workspace_id = $1', [workspace.id]))[0]?.shift ?? 0
    await pairs(Array.from({ length: 12 }, () => 0.9))
    const proposal_ids = await asked()
    assert.ok(proposal_ids.length >= 5)
    const { meta } = await call('triage', { action: 'refuse_merge', proposal_ids })
    const together = await shift()
    assert.ok(together < -0.5 && together > -1, `${together}`)
    await call('undo_change', { change_id: meta.change_id })
    for (const proposal_id of proposal_ids) {
      if ((await asked()).includes(proposal_id)) await call('triage', { action: 'refuse_merge', proposal_id })
    }
    assert.ok((await shift()) < together - 0.5, `${await shift()} and ${together}`)
  })

  it('however unlikely a pair is, it can be asked for, and the lowest stand in their order', async () => {
    const home = await claimOf('Exports hang')
    const ids: string[] = []
    for (const chance of [0.0004, 0.002, 0.0001]) {
      const id = await workspace.proposal(await claimOf(`Chance ${chance} of another thing`), home)
      await sql(`update merge_proposals set chance = $2, state = 'set_aside' where id = $1`, [id, chance])
      ids.push(id)
    }
    await call('show_less_likely', {})
    const { data } = await call('list_merge_groups', {})
    const [low, higher, lowest] = ids
    assert.deepEqual(
      data.items.flatMap((group: { pairs: { id: string }[] }) => group.pairs.map(({ id }) => id)),
      [higher, low, lowest],
    )
  })
})
