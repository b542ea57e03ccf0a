import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import { refusal } from '../decisions/testing.ts'
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

const triage = async (input: object) => (await workspace.call('service_decide', 'triage', input)).data
const lookup = async (mode: string, input: object) => (await workspace.call('service_lookup', mode, input)).data
const query = async (statement: string, values: readonly unknown[] = [workspace.id]) =>
  (await kit.database.pool.query(statement, [...values])).rows

const WORDS = 'Installing fails on Centos 8, says the log.'

/** A claim of one Signal that was repeated once, by somebody else and in other words. */
const repeatedClaim = async () => {
  const signal = await workspace.signal({ text: 'Installing fails on Centos 7.', actorKey: 'ann', actorName: 'Ann' })
  const claim = await workspace.claim('Installing fails', [signal])
  const repeat = await workspace.occurrence(signal.id, { text: WORDS, actorName: 'Bo', actorKey: 'bo' })
  return { signal, claim, repeat }
}

/** What insert does with a repeat that was taken out. */
const goesOn = async (repeat: SignalId) => {
  await query('delete from occurrences where id = $1', [repeat])
  return workspace.signal({ id: repeat, text: WORDS, actorKey: 'bo', actorName: 'Bo' })
}

const sums = async (id: string) => {
  const { signals, actors } = await lookup('claim', { id, depth: 'summary' })
  return { signals, actors }
}

/** The Signals that are seen as dismissed. */
const dismissed = async () => {
  const referencesOf = (items: readonly { reference: string }[]) => items.map(item => item.reference)
  const triaged = await lookup('triage', { state: 'dismissed' })
  const listed = (await workspace.inApp('list_signals', { state: 'dismissed' })).data
  assert.deepEqual([triaged.items, listed.count], [[], listed.items.length])
  return { triaged: triaged.count, listed: referencesOf(listed.items) }
}

type Repeat = { id: string; text: string; actor_name: string; source_url: string }
type Piece = { occurrences: number; repeats: readonly Repeat[] }

describe('a repeat', () => {
  const saidAndShown = ({ occurrences, repeats }: Piece) => [occurrences, repeats.length]
  const PLACES: Readonly<Record<string, (of: Awaited<ReturnType<typeof repeatedClaim>>) => Promise<readonly Piece[]>>> =
    {
      'the claim, standard': async ({ claim }) => (await lookup('claim', { id: claim.id })).evidence.items,
      'the claim, full': async ({ claim }) => (await lookup('claim', { id: claim.id, depth: 'full' })).evidence.items,
      'the Signal': async ({ signal }) => [(await lookup('signal', { id: signal.reference })).signal],
      'the Signal, full': async ({ signal }) => [(await lookup('signal', { id: signal.id, depth: 'full' })).signal],
      'the search': async () => (await lookup('search', { query: 'Centos', types: ['signal'], depth: 'full' })).items,
      'the brief of a Solution': async ({ claim }) => {
        const comment = 'Agreed.'
        const { solution } = (
          await workspace.call('service_decide', 'create_solution', {
            title: 'Mend it',
            claim_ids: [claim.id],
            comment,
          })
        ).data
        return (await lookup('context', { id: solution.id, depth: 'full' })).evidence.items
      },
      'a Product Review': async () => {
        // The end of its time is not of it.
        kit.now = new Date(kit.now.getTime() + 1000)
        const { figures } = (await workspace.call('service_analyze', 'prepare_review', { depth: 'full' })).data
        return figures.claims.rising.map((claim: { signals: number; repeats: readonly Repeat[] }) => ({
          occurrences: claim.signals - 1,
          repeats: claim.repeats,
        }))
      },
      'the list of the Signal': async ({ signal }) => {
        const { count, items } = (await workspace.inApp('list_repeats', { id: signal.reference })).data
        return [{ occurrences: count, repeats: items }]
      },
      'the list of the claim': async ({ claim }) => {
        const { count, items } = (await workspace.inApp('list_repeats', { id: claim.reference })).data
        return [{ occurrences: count, repeats: items }]
      },
    }

  for (const [place, piecesAt] of Object.entries(PLACES)) {
    it(`is shown by ${place} with its words and its speaker: as many as are said`, async () => {
      const of = await repeatedClaim()
      await workspace.occurrence(of.signal.id, { text: 'Centos 9 too.', actorName: 'Cy', actorKey: 'cy' })
      const pieces = await piecesAt(of)
      assert.deepEqual(pieces.map(saidAndShown), [[2, 2]])
      const repeats = pieces.flatMap(piece => piece.repeats)
      assert.deepEqual(repeats.map(one => [one.actor_name, one.text]).toSorted(), [
        ['Bo', WORDS],
        ['Cy', 'Centos 9 too.'],
      ])
      assert.ok(repeats.every(one => one.source_url === 'https://desk.example/again'))
      const { signals, actors } = await sums(of.claim.id)
      assert.deepEqual([signals, actors], [1 + repeats.length, 1 + repeats.length])
    })
  }

  it('answers by its own id, with all of its words, and what it repeats', async () => {
    const { signal } = await repeatedClaim()
    const long = 'Centos 8 again. '.repeat(3000)
    const repeat = await workspace.occurrence(signal.id, { text: long, actorName: 'Bo' })
    const found = await lookup('signal', { id: repeat })
    assert.deepEqual(
      [found.status, found.signal.reference, found.duplicate.original, found.duplicate.actor_name, found.duplicate.id],
      ['duplicate', signal.reference, signal.reference, 'Bo', repeat],
    )
    assert.equal(found.duplicate.source_url, 'https://desk.example/again')
    let text = ''
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const answer = await workspace.call('service_lookup', 'signal', {
        id: repeat,
        depth: 'full',
        ...(cursor && { cursor }),
      })
      text += answer.data.duplicate.text
      assert.deepEqual(answer.data.duplicate.metadata, { plan: 'team' })
      cursor = answer.meta.next_cursor
    }
    assert.equal(text, long)
    const traced = (await workspace.inApp('trace_signal', { id: repeat })).data
    assert.deepEqual([traced.duplicate.actor_name, traced.signal.reference], ['Bo', signal.reference])
  })

  it('that says what its original does not is found by its own words', async () => {
    const { signal } = await repeatedClaim()
    await workspace.signal({ text: 'Something else entirely.' })
    const repeat = await workspace.occurrence(signal.id, { text: 'Happens with the xylophone plugin.' })
    const { items } = await lookup('search', { query: 'xylophone', types: ['signal'] })
    assert.deepEqual([items[0].id, items[0].repeats[0].id], [signal.id, repeat])
  })

  it('lists page by page, the newest first, each once', async () => {
    const { signal } = await repeatedClaim()
    const made = Array.from({ length: 6 }, (_, minute) => new Date(Date.UTC(2026, 0, 1, 0, minute)))
    for (const occurredAt of made) await workspace.occurrence(signal.id, { text: 'x'.repeat(20_000), occurredAt })
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, meta } = await workspace.inApp('list_repeats', {
        id: signal.id,
        limit: 3,
        ...(cursor && { cursor }),
      })
      assert.equal(data.count, 7)
      seen.push(...data.items.map((one: { occurred_at: string }) => one.occurred_at))
      cursor = meta.next_cursor
    }
    assert.deepEqual(seen, seen.toSorted().toReversed())
    assert.equal(seen.length, 7)
  })
})

describe('what is no repeat', () => {
  it('counts at its original until it is a Signal of its own, and by itself then', async () => {
    const { signal, claim, repeat } = await repeatedClaim()
    const done = await triage({ action: 'not_a_repeat', signal_id: repeat, comment: 'Another system.' })
    assert.equal(done.signal, null, 'not its original')
    assert.deepEqual(done.repeat, {
      id: repeat,
      original: signal.reference,
      reference: null,
      text: WORDS,
      is_truncated: false,
      actor_name: 'Bo',
    })
    const [job] = await query('select kind, state from jobs where workspace_id = $1')
    assert.deepEqual(job, { kind: 'take_out', state: 'running' })
    const waiting = await lookup('signal', { id: repeat })
    assert.deepEqual(
      [waiting.status, waiting.duplicate.taken_out, await sums(claim.id)],
      ['duplicate', true, { signals: 2, actors: 2 }],
    )
    assert.match(waiting.message, /on its way to be a Signal of its own/)
    assert.match((await refusal(triage({ action: 'not_a_repeat', signal_id: repeat }))).publicMessage, /already/)

    const own = await goesOn(repeat)
    const found = await lookup('signal', { id: repeat })
    assert.deepEqual([found.status, found.signal.reference], ['inserted', own.reference])
    assert.deepEqual(await sums(claim.id), { signals: 1, actors: 1 })
  })

  for (const by of ['signal_id', 'decision_id'] as const) {
    it(`is one again by undo, named by ${by}, while it is on its way`, async () => {
      const { claim, repeat } = await repeatedClaim()
      const { decision } = await triage({ action: 'not_a_repeat', signal_id: repeat })
      const target = by === 'signal_id' ? { signal_id: repeat } : { decision_id: decision.id }
      const back = await triage({ action: 'undo', ...target })
      assert.deepEqual(back.undone, ['not_a_repeat'])
      const { duplicate } = await lookup('signal', { id: repeat })
      assert.deepEqual([duplicate.taken_out, await sums(claim.id)], [false, { signals: 2, actors: 2 }])
      assert.deepEqual(await query('select in_force from taken_out_repeats where workspace_id = $1'), [
        { in_force: false },
      ])
      await refusal(triage({ action: 'undo', decision_id: decision.id }))
      assert.equal((await triage({ action: 'not_a_repeat', signal_id: repeat })).repeat.id, repeat)
    })

    it(`is one again by undo, named by ${by}, when it has its row; its claim goes, the sums are as they were`, async () => {
      const { signal, claim, repeat } = await repeatedClaim()
      const { decision } = await triage({ action: 'not_a_repeat', signal_id: repeat })
      const own = await goesOn(repeat)
      const apart = await workspace.claim('Centos 8', [own])
      assert.deepEqual(
        [await sums(claim.id), await sums(apart.id)],
        [
          { signals: 1, actors: 1 },
          { signals: 1, actors: 1 },
        ],
      )
      const target = by === 'signal_id' ? { signal_id: repeat } : { decision_id: decision.id }
      const back = await triage({ action: 'undo', ...target })
      assert.deepEqual(back.undone, ['not_a_repeat'])
      assert.deepEqual(
        [back.signal, back.repeat.reference, back.repeat.original],
        [null, own.reference, signal.reference],
      )
      assert.deepEqual(await dismissed(), { triaged: 0, listed: [] })
      assert.deepEqual(
        [await sums(claim.id), await sums(apart.id)],
        [
          { signals: 2, actors: 2 },
          { signals: 0, actors: 0 },
        ],
      )
      assert.equal((await lookup('claim', { id: apart.id })).state, 'dismissed')
      const [piece] = (await lookup('claim', { id: claim.id })).evidence.items
      assert.deepEqual(
        piece.repeats.map((one: Repeat & { reference: string }) => [one.reference, one.text, one.actor_name]),
        [[own.reference, WORDS, 'Bo']],
      )
      assert.equal((await lookup('signal', { id: own.reference })).duplicate.original, signal.reference)

      const again = await triage({ action: 'not_a_repeat', signal_id: own.reference })
      assert.deepEqual(
        [again.signal.reference, again.signal.state, again.signal.claims.length],
        [own.reference, 'triage', 1],
      )
      assert.deepEqual(await sums(claim.id), { signals: 1, actors: 1 })
      assert.deepEqual((await triage({ action: 'undo', signal_id: own.reference })).undone, ['not_a_repeat'])
      assert.deepEqual(await sums(claim.id), { signals: 2, actors: 2 })
    })
  }

  it('is not undone past what was decided about it since', async () => {
    const { repeat } = await repeatedClaim()
    const { decision } = await triage({ action: 'not_a_repeat', signal_id: repeat })
    await goesOn(repeat)
    await triage({ action: 'accept', signal_id: repeat })
    const refused = await refusal(triage({ action: 'undo', decision_id: decision.id }))
    assert.match(refused.publicMessage, /DEC-2 came after it: undo that first/)
  })

  it('was said by a person to be one: that is taken back', async () => {
    const { signal, claim } = await repeatedClaim()
    const other = await workspace.signal({ text: 'Another thing.', actorKey: 'di' })
    const { version } = (await lookup('signal', { id: other.id })).signal
    const signals = [{ signal_id: other.id, version }]
    await workspace.inApp('triage_signals', { action: 'duplicate', signals, original_signal_id: signal.id })
    assert.deepEqual(await sums(claim.id), { signals: 3, actors: 3 })
    const done = await triage({ action: 'not_a_repeat', signal_id: other.id })
    assert.deepEqual([done.signal.state, await sums(claim.id)], ['triage', { signals: 2, actors: 2 }])
    assert.deepEqual((await triage({ action: 'undo', decision_id: done.decision.id })).undone, ['not_a_repeat'])
    assert.deepEqual(await sums(claim.id), { signals: 3, actors: 3 })
    assert.deepEqual((await triage({ action: 'undo', signal_id: other.reference })).undone, ['duplicate'])
    assert.deepEqual(await sums(claim.id), { signals: 2, actors: 2 })
  })

  it('is refused for what repeats nothing, and for words that were not kept', async () => {
    const { signal } = await repeatedClaim()
    const old = await workspace.occurrence(signal.id, { text: null })
    for (const [id, why] of [
      [signal.reference, /repeats nothing: it is a Signal of its own/],
      [old, /before Assay kept the words of repeats/],
    ] as const) {
      const { code, publicMessage } = await refusal(triage({ action: 'not_a_repeat', signal_id: id }))
      assert.equal(code, 'conflict')
      assert.match(publicMessage, why)
    }
    assert.equal((await lookup('signal', { id: old })).duplicate.text, null)
    assert.deepEqual(await query('select from jobs where workspace_id = $1'), [])
  })
})
