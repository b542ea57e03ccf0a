import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const app = async (operation: string, input: object = {}) => (await workspace.inApp(operation, input)).data
const claimOf = async (text: string) => workspace.claim(text, [await workspace.signal({ text })])
const refuse = (proposal: string) => app('triage', { action: 'refuse_merge', proposal_id: proposal })

describe('lookup_claim', () => {
  it('says how many claims it is kept apart from where it lists the last of them', async () => {
    const exports = await claimOf('Exports fail')
    for (let number = 1; number <= 22; number += 1)
      await refuse(await workspace.proposal(await claimOf(`Screen ${number} is dark`), exports))
    const { data, meta } = await workspace.inApp('lookup_claim', { id: exports.reference })
    assert.ok(data.kept_apart.length < 22)
    assert.match(String(meta.note), new RegExp(`kept_apart ${data.kept_apart.length} of 22`))
    const line = await workspace.inApp('lookup_claim', { id: exports.reference, depth: 'summary' })
    assert.deepEqual(line.data.kept_apart, [])
    assert.match(String(line.meta.note), /kept_apart 0 of 22/)
  })
})

describe('list_merge_groups', () => {
  it('says of each side who said it and how many, the newest first, repeats with their speakers', async () => {
    const day = (date: string) => new Date(`2026-0${date}T00:00:00Z`)
    const said = { source: 'Desk', actorName: 'Ana', actorKey: 'ana', occurredAt: day('3-01') }
    const first = await workspace.signal({ text: 'Exports fail', ...said })
    await workspace.occurrence(first.id, { actorName: 'Ben', actorKey: 'ben', occurredAt: day('3-05') })
    const exports = await workspace.claim('Exports fail', [first])
    await workspace.proposal(await claimOf('Exports are slow'), exports)
    const [{ survivor, pairs }] = (await app('list_merge_groups')).items
    const { signals, actors, speakers } = survivor.said_by
    assert.deepEqual([signals, actors], [2, 2])
    assert.deepEqual(
      speakers.map((each: { actor_name: string; occurred_at: string }) => [
        each.actor_name,
        each.occurred_at.slice(0, 10),
      ]),
      [
        ['Ben', '2026-03-05'],
        ['Ana', '2026-03-01'],
      ],
    )
    assert.equal(pairs[0].claim.said_by.signals, 1)
  })

  it('puts claims together that may all be one, each with what else was proposed for it', async () => {
    const [exports, slow, boards, login] = [
      await claimOf('Exports fail'),
      await claimOf('Exports are slow'),
      await claimOf('Boards do not export'),
      await claimOf('Login loops'),
    ]
    const [ofSlow, ofBoards, between, other] = [
      await workspace.proposal(slow, exports),
      await workspace.proposal(boards, exports),
      await workspace.proposal(boards, slow),
      await workspace.proposal(login, boards),
    ]
    const chances = [0.4, 0.3, 0.1, 0.2]
    for (const [place, id] of [ofSlow, ofBoards, between, other].entries()) {
      await kit.database.pool.query('update merge_proposals set chance = $2 where id = $1', [id, chances[place]])
    }
    await workspace.proposal(await claimOf('Refunds hang again'), await claimOf('Refunds hang'))
    const listed = async () => {
      const { count, pairs, items } = await app('list_merge_groups')
      return { counts: [count, pairs], group: items[0] }
    }
    const named = (pairs: Record<string, unknown>[]) => pairs.map(({ id, same_as }) => [id, same_as])
    const { counts, group } = await listed()
    assert.deepEqual([counts, group.count, group.survivor.id], [[2, 5], 4, exports.id])
    assert.deepEqual(named(group.pairs), [
      [ofSlow, exports.reference],
      [ofBoards, exports.reference],
      [other, boards.reference],
    ])
    assert.deepEqual(group.more_pairs, [{ id: between, claim: boards.reference, same_as: slow.reference }])
    const rivals = (pairs: { others: Record<string, unknown>[] }[]) =>
      pairs.map(({ others }) => others.map(({ claim, verdict, by }) => [claim, verdict, by]))
    assert.deepEqual(rivals(group.pairs), [[], [], []], 'what is in the group is not told again')
    await refuse(other)
    const after = (await listed()).group
    assert.deepEqual(rivals(after.pairs), [[], [[login.reference, 'refused', 'Owner']]])
    assert.deepEqual(
      after.pairs.map(({ other_count }: { other_count: number }) => other_count),
      [0, 1],
    )
    const proposal_ids = [...after.pairs, ...after.more_pairs].map(({ id }: { id: string }) => id)
    await app('triage', { action: 'refuse_merge', proposal_ids })
    assert.deepEqual((await listed()).counts, [1, 1])
  })

  it('lists the likeliest first, and what people refuse makes the others less likely', async () => {
    const proposed: string[] = []
    for (const [name, chance] of [
      ['unlikely', 0.05],
      ['likely', 0.4],
      ['even', 0.2],
    ] as const) {
      const id = await workspace.proposal(await claimOf(`${name} again`), await claimOf(name))
      await kit.database.pool.query('update merge_proposals set chance = $2 where id = $1', [id, chance])
      proposed.push(id)
    }
    const [unlikely, likely, even] = proposed
    assert.ok(unlikely && likely && even)
    const listed = async () => {
      const { items, bar } = await app('list_merge_groups')
      const pairs = items.flatMap((group: { pairs: { id: string; chance: number }[] }) => group.pairs)
      return { pairs: pairs as readonly { id: string; chance: number }[], bar }
    }
    const before = await listed()
    assert.deepEqual(
      before.pairs.map(({ id, chance }) => [id, Number(chance.toFixed(3))]),
      [
        [likely, 0.4],
        [even, 0.2],
        [unlikely, 0.05],
      ],
    )
    await refuse(likely)
    const after = await listed()
    assert.equal(after.bar.learned_from, 1)
    assert.deepEqual(
      after.pairs.map(({ id }) => id),
      [even, unlikely],
    )
    for (const { id, chance } of after.pairs) {
      const earlier = before.pairs.find(pair => pair.id === id)
      assert.ok(earlier !== undefined && chance < earlier.chance && chance > earlier.chance / 2)
    }
    const { data } = await workspace.call('service_lookup', 'proposals')
    assert.deepEqual(
      data.items.map(({ id, chance }: { id: string; chance: number }) => [id, chance]),
      after.pairs.map(({ id, chance }) => [id, chance]),
    )
  })

  it('asks no more what says the same as what was refused, until that is taken back', async () => {
    const [one, again, other] = [
      await claimOf('Exporting boards to Excel fails with an empty file.'),
      await claimOf('Exporting boards to excel fails with an empty file!'),
      await claimOf('Exported files have no rows.'),
    ]
    const third = await claimOf('Login loops on phones.')
    const refused = await workspace.proposal(one, other)
    const same = await workspace.proposal(again, other)
    const different = await workspace.proposal(third, other)
    const listed = async () => {
      const { items } = await app('list_merge_groups')
      return items.flatMap((group: { pairs: { id: string }[] }) => group.pairs.map(({ id }) => id)).toSorted()
    }
    await refuse(refused)
    assert.deepEqual(await listed(), [different])
    await app('triage', { action: 'undo', proposal_id: refused })
    assert.deepEqual(await listed(), [refused, same, different].toSorted())
  })

  it('ends where people settle it, and shows less likely pairs to whoever asks', async () => {
    const home = await claimOf('Exports fail')
    const proposals: string[] = []
    for (let place = 0; place < 4; place += 1) {
      const id = await workspace.proposal(await claimOf(`Another ${'abcd'[place]} thing`), home)
      await kit.database.pool.query(`update merge_proposals set chance = $2, state = $3 where id = $1`, [
        id,
        0.5 - place / 10,
        place < 2 ? 'waiting' : 'set_aside',
      ])
      proposals.push(id)
    }
    await kit.database.pool.query('insert into proposal_bars (workspace_id, bar) values ($1, 0.35)', [workspace.id])
    const [likely, next] = proposals
    for (const id of [likely, next]) await refuse(id ?? '')
    const settled = await app('list_merge_groups')
    assert.deepEqual([settled.pairs, settled.bar.raised, settled.bar.set_aside], [0, true, 2])
    const { bar } = await app('show_less_likely')
    assert.deepEqual([bar.raised, (await app('list_merge_groups')).pairs], [false, 2])
  })

  it('goes on page by page, and answers nothing where nothing waits', async () => {
    const bar = { chance: 0.01, raised: false, set_aside: 0, learned_from: 0 }
    assert.deepEqual(await app('list_merge_groups'), { count: 0, pairs: 0, items: [], bar, common: [] })
    for (const name of ['one', 'two', 'three']) {
      await workspace.proposal(await claimOf(`${name} again`), await claimOf(name))
    }
    const seenIds = new Set<string>()
    let cursor: string | null | undefined
    do {
      const { data, meta } = await workspace.inApp('list_merge_groups', { limit: 2, ...(cursor && { cursor }) })
      for (const { survivor } of data.items) seenIds.add(survivor.id)
      cursor = meta.next_cursor
    } while (cursor)
    assert.equal(seenIds.size, 3)
  })
})

describe('Lists of merges', () => {
  it('are of one claim where it is named, by what was merged into it too', async () => {
    const claims = [await claimOf('Exports fail'), await claimOf('Exports are slow'), await claimOf('Login loops')]
    const [exports, slow, login] = claims as [(typeof claims)[0], (typeof claims)[0], (typeof claims)[0]]
    const others = [await claimOf('Refunds hang'), await claimOf('Refunds are slow')] as const
    const settled = await workspace.proposal(slow, exports)
    await workspace.proposal(login, exports)
    await workspace.proposal(...others)
    await app('triage', { action: 'confirm_merge', proposal_id: settled, comment: 'One queue.' })
    await workspace.proposal(await claimOf('No login'), login)
    const pairs = async (claim_id: string) => {
      const { count, items } = await app('lookup_proposals', { claim_id })
      const groups = await app('list_merge_groups', { claim_id })
      assert.deepEqual([groups.pairs, items.length], [count, count])
      const listed = groups.items.flatMap((group: { count: number; pairs: object[] }) => {
        assert.equal(group.pairs.length, group.count)
        return group.pairs
      })
      assert.equal(listed.length, count)
      return count
    }
    // The merged one leads to the claim that it lives on in.
    for (const [name, count] of [
      [slow.reference, 1],
      ['exports FAIL', 1],
      [login.id, 2],
      [others[0].reference, 1],
    ] as const)
      assert.equal(await pairs(name), count, name)
    const log = async (kind: string, claim_id: string) => (await app('list_merge_log', { kind, claim_id })).items.length
    assert.deepEqual([await log('merged', slow.reference), await log('merged', login.reference)], [1, 0])
    await refuse((await app('lookup_proposals', { claim_id: login.reference })).items[0].id)
    const counted = await Promise.all([login, exports, ...others].map(({ reference }) => log('refused', reference)))
    assert.deepEqual(counted.slice(2), [0, 0])
    assert.equal(counted[0], 1)
    await assert.rejects(app('lookup_proposals', { claim_id: 'Nobody’s' }), failsWith('not_found'))
  })
})

describe('list_merge_log', () => {
  it('tells of merges, undone ones too, and of refusals, each with who decided', async () => {
    const [one, other, third] = [
      await claimOf('Exports fail'),
      await claimOf('Exports are slow'),
      await claimOf('Login'),
    ]
    await refuse(await workspace.proposal(third, one))
    const pair = { claim_id: one.id, into_claim_id: other.id }
    const { decision } = await app('merge_claims', { ...pair, comment: 'Both are the queue.' })
    const merged = async () => (await app('list_merge_log', { kind: 'merged' })).items
    const [entry] = await merged()
    assert.partialDeepStrictEqual(entry, {
      kind: 'merge',
      by: 'member',
      actor: 'Owner',
      reason: 'Both are the queue.',
      decision: decision.reference,
      undone_at: null,
    })
    assert.deepEqual([entry.from.reference, entry.into.reference], [one.reference, other.reference])
    assert.deepEqual(
      entry.rejected_candidates.map((each: { claim: string }) => each.claim),
      [third.reference],
    )
    await app('triage', { action: 'undo', decision_id: decision.id })
    assert.equal((await merged())[0].undone_by, 'Owner')
    const refused = (await app('list_merge_log', { kind: 'refused' })).items
    assert.deepEqual(refused.map((each: { from: { reference: string } }) => each.from.reference).toSorted(), [
      one.reference,
      third.reference,
    ])
  })

  it('tells what the judge attached by itself, and goes on page by page', async () => {
    const home = await claimOf('Exports fail')
    for (const text of ['Exporting fails', 'The export fails', 'No export']) {
      const { id } = await workspace.signal({ text })
      await kit.database.pool.query(
        `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
         values ($1, $2, $3, 'judge', 'test-judge', $4)`,
        [workspace.id, home.id, id, text],
      )
    }
    const reasons: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await workspace.inApp('list_merge_log', { kind: 'merged', limit: 2, ...(cursor && { cursor }) })
      for (const { kind, by, reason } of page.data.items) reasons.push(`${kind} ${by} ${reason}`)
      cursor = page.meta.next_cursor
    } while (cursor)
    assert.deepEqual(reasons.toSorted(), [
      'attachment judge Exporting fails',
      'attachment judge No export',
      'attachment judge The export fails',
    ])
    await assert.rejects(
      workspace.inApp('list_merge_log', { kind: 'refused', cursor: 'bm90aGluZw' }),
      failsWith('invalid_input'),
    )
  })
})
