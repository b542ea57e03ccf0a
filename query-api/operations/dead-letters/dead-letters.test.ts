import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { readReplayInput } from '../../../model/dead-letters/selection.ts'
import { newId, type SignalId } from '../../../schemas/domain/ids.ts'
import { type Content, NO_CUTS } from '../../../schemas/events/signal.ts'
import { failsWith, type Workspace } from '../testing.ts'
import { type ActivityKit, startOperationsWithActivity, walked } from '../testing-activity.ts'

import { discardDeadLetters } from './discard-dead-letters.ts'
import { inspectDeadLetter } from './inspect-dead-letter.ts'
import { replayDeadLetters } from './replay-dead-letters.ts'

let kit: ActivityKit
let workspace: Workspace

before(async () => {
  kit = await startOperationsWithActivity()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const support = (mode: string, input: object = {}) => workspace.call('service_support', mode, input)

const WORDS = 'the export of large boards hangs'
const content: Content = {
  text: WORDS,
  text_hash: '00',
  event: null,
  source: 'desk',
  source_url: null,
  actor_name: null,
  actor_email: '[EMAIL]',
  actor_key: null,
  signal_origin: 'customer',
  actor_role: 'user',
  occurred_at: null,
  metadata: '{}',
  ...NO_CUTS,
}
const scrubbed = {
  received: null,
  content,
  scrubbed: { version: '2', replaced: {} },
  embedding: { model: 'test', vector: new Uint8Array(4096), own_text: 0 },
}

/** Two that died at classify, a third of another class, and a sealed one. */
const seed = async () => {
  const deadLetter = {
    message: 'Too slow.',
    topic: 'signals.anchor',
    fault: 'transient',
    sealed: false,
    record: scrubbed,
  } as const
  const first = await workspace.deadLetter({ ...deadLetter, step: 'classify', errorClass: 'timeout' })
  await workspace.deadLetter({ ...deadLetter, step: 'classify', errorClass: 'timeout', topic: 'signals.anchor.bulk' })
  await workspace.deadLetter({ ...deadLetter, step: 'insert', errorClass: '23505', fault: 'ours' })
  const sealed = await workspace.deadLetter({ step: 'validate', sealed: true, message: 'sender@example.com is odd' })
  return { first, sealed }
}

const stateOf = async (id: SignalId): Promise<string> => {
  const { rows } = await kit.database.pool.query<{ state: string }>(
    'select state from dead_letters where signal_id = $1',
    [id],
  )
  return rows[0]?.state ?? 'gone'
}

const jobs = async () => {
  const { rows } = await kit.database.pool.query(
    'select id, kind, input, total, started_by, state from jobs where workspace_id = $1',
    [workspace.id],
  )
  return rows
}

describe('the list', () => {
  it('is narrowed by step, fault and class, and counted by group', async () => {
    await seed()
    const { data } = await support('pipeline', { fault: 'transient', error_class: 'timeout' })
    assert.equal(data.count, 2)
    assert.deepEqual(
      data.groups.map(
        (group: { step: string; dead_letters: number; max_dead_letter_count: number; last_message: string }) => [
          group.step,
          group.dead_letters,
          group.max_dead_letter_count,
          group.last_message,
        ],
      ),
      [['classify', 2, 1, 'Too slow.']],
    )
    await assert.rejects(support('pipeline', { error_class: 'nothing' }), failsWith('invalid_input', /InvalidSignal/))
  })

  it('says how many groups there are where it shows those that fit', async () => {
    for (let number = 0; number < 60; number += 1) {
      const errorClass = `class_${number}`
      const dead = { step: 'insert', fault: 'ours', sealed: false, message: 'Ours.', record: scrubbed } as const
      await workspace.deadLetter({ ...dead, errorClass })
    }
    const { data, meta } = await support('pipeline', { depth: 'summary', limit: 1 })
    assert.ok(data.groups.length < 60)
    assert.match(String(meta.note), new RegExp(`groups ${data.groups.length} of 60`))
  })

  it('tells of a sealed group neither what its letters died of nor any of their words', async () => {
    await seed()
    const { data } = await support('pipeline', { step: 'validate' })
    assert.deepEqual([data.count, data.groups[0].last_message], [1, null])
  })

  it('says when a letter is driven again by itself', async () => {
    const { first } = await seed()
    const due = new Date(kit.now.getTime() + 60_000)
    await kit.database.pool.query('update dead_letters set next_redrive_at = $2 where signal_id = $1', [first, due])
    const { data } = await support('pipeline', { step: 'classify' })
    const found = data.items.find((deadLetter: { signal_id: string }) => deadLetter.signal_id === first)
    assert.equal(found.next_redrive_at, due.toISOString())
  })
})

describe('a replay', () => {
  it('tried dry counts each group, says where it could begin, and starts nothing', async () => {
    const { first } = await seed()
    const { data } = await support('replay', { all: true, dry_run: true })
    assert.deepEqual(data, {
      job_id: null,
      dead_letters: 4,
      groups: [
        {
          step: 'classify',
          fault: 'transient',
          error_class: 'timeout',
          dead_letters: 2,
          from_steps: ['embed', 'anchor'],
        },
        { step: 'insert', fault: 'ours', error_class: '23505', dead_letters: 1, from_steps: ['embed', 'anchor'] },
        { step: 'validate', fault: 'sender', error_class: 'InvalidSignal', dead_letters: 1, from_steps: ['validate'] },
      ],
    })
    assert.deepEqual([await jobs(), await stateOf(first)], [[], 'waiting'])
    assert.equal((await support('replay', { step: 'scrub', dry_run: true })).data.dead_letters, 0)
  })

  it('is a job of the caller, which the processors can read', async () => {
    await seed()
    const { data } = await support('replay', { step: 'classify', from_step: 'embed', per_second: 5 })
    const [job] = await jobs()
    assert.partialDeepStrictEqual(job, {
      id: data.job_id,
      kind: 'replay',
      total: 2,
      started_by: 'Owner',
      state: 'running',
    })
    assert.deepEqual(readReplayInput(job.input), {
      selection: { signal_id: null, step: 'classify', fault: null, error_class: null, until: kit.now.getTime() },
      from_step: 'embed',
      per_second: 5,
    })
  })

  it('of what does not wait finds nothing', async () => {
    const { first } = await seed()
    await support('discard', { signal_id: first, reason: 'Spam.' })
    await assert.rejects(support('replay', { signal_id: first }), failsWith('not_found'))
    await assert.rejects(support('replay', { signal_id: newId(), dry_run: true }), failsWith('not_found'))
    assert.deepEqual(await jobs(), [])
  })

  it('from a step that no record suffices for is refused with those that are possible', async () => {
    const { sealed } = await seed()
    await assert.rejects(
      support('replay', { signal_id: sealed, from_step: 'embed' }),
      failsWith('invalid_input', /can be replayed from embed: .*Possible: validate\./),
    )
    await assert.rejects(
      support('replay', { step: 'classify', from_step: 'scrub' }),
      failsWith('invalid_input', /embed, anchor/),
    )
  })

  it('must say which letters, and not both all and some', async () => {
    await seed()
    for (const input of [{}, { all: false }, { all: true, step: 'classify' }, { dry_run: true }])
      await assert.rejects(support('replay', input), failsWith('invalid_input', /Say which dead letters/))
    await assert.rejects(support('replay', { all: true, reason: 'No.' }), failsWith('invalid_input', /reason/))
    await assert.rejects(support('replay', { all: true, per_second: 0 }), failsWith('invalid_input'))
  })
})

describe('discarding', () => {
  it('gives the selected letters up by a Decision that says how many, which and why', async () => {
    const { first, sealed } = await seed()
    await kit.database.pool.query('update dead_letters set next_redrive_at = now()')
    const { data } = await support('discard', { fault: 'transient', reason: 'They are of a load test.' })
    assert.equal(data.dead_letters, 2)
    assert.deepEqual([await stateOf(first), await stateOf(sealed)], ['discarded', 'waiting'])
    const { rows } = await kit.database.pool.query('select statement, made_by_name from decisions where id = $1', [
      data.decision.id,
    ])
    assert.deepEqual(rows, [
      { statement: 'Discarded 2 dead letters (fault transient): They are of a load test.', made_by_name: 'Owner' },
    ])
    const { data: shown } = await support('dead_letter', { signal_id: first })
    assert.deepEqual(
      [shown.decision, shown.dead_letter.state, shown.dead_letter.next_redrive_at],
      [data.decision.reference, 'discarded', null],
    )
  })

  it('needs a reason, and a letter that waits', async () => {
    const { first } = await seed()
    await assert.rejects(support('discard', { signal_id: first }), failsWith('invalid_input', /reason/))
    await assert.rejects(support('discard', { signal_id: first, reason: ' ' }), failsWith('invalid_input'))
    await assert.rejects(support('discard', { signal_id: newId(), reason: 'Spam.' }), failsWith('not_found'))
  })
})

describe('one letter', () => {
  it('shows what it died of, each delivery in the order of time, and the scrubbed record without its vector', async () => {
    const { first } = await seed()
    await kit.record(workspace.id, ...walked(first, 'dedup', 'next'))
    const { data } = await support('dead_letter', { signal_id: first })
    assert.partialDeepStrictEqual(data.dead_letter, {
      step: 'classify',
      fault: 'transient',
      message: 'Too slow.',
      dead_letter_count: 1,
    })
    assert.deepEqual([data.from_steps, data.replays, data.hidden_reason], [['embed', 'anchor'], 0, null])
    assert.equal(data.record.content.text, WORDS)
    assert.deepEqual(data.record.embedding, { model: 'test' })
    assert.deepEqual(data.step_attempts.at(-1).step, 'dedup')
  })

  it('that is sealed shows metadata only', async () => {
    const { sealed } = await seed()
    const events = walked(sealed, 'validate', 'dead', { reason: 'sender@example.com is odd' })
    await kit.record(workspace.id, ...events)
    const answered = await support('dead_letter', { signal_id: sealed })
    const { data } = answered
    assert.deepEqual([data.dead_letter.message, data.record], [null, null])
    assert.match(data.hidden_reason, /sealed; only a replay opens it/)
    assert.equal(data.step_attempts.length > 0, true)
    assert.ok(!JSON.stringify(answered).includes('sender@example.com'))
  })

  it('that never was scrubbed is not shown, even when it does not say that it is sealed', async () => {
    const id = await workspace.deadLetter({ step: 'embed', sealed: false, message: 'Odd.', record: { content } })
    const answered = await support('dead_letter', { signal_id: id })
    assert.equal(answered.data.record, null)
    assert.ok(!JSON.stringify(answered).includes(WORDS))
  })

  it('of several is the last unless a step is named', async () => {
    const { first } = await seed()
    await kit.database.pool.query(
      `insert into dead_letters select (jsonb_populate_record(d, '{"step": "embed", "last_failed_at": "2020-01-01T00:00:00Z"}')).*
       from dead_letters d where signal_id = $1`,
      [first],
    )
    const { data } = await support('dead_letter', { signal_id: first })
    assert.deepEqual([data.dead_letter.step, data.other_steps], ['classify', ['embed']])
    assert.equal((await support('dead_letter', { signal_id: first, step: 'embed' })).data.dead_letter.step, 'embed')
  })
})

it('viewers look, members replay and discard', () => {
  const roles = [inspectDeadLetter, replayDeadLetters, discardDeadLetters].map(({ name, role }) => [name, role])
  assert.deepEqual(roles, [
    ['inspect_dead_letter', 'viewer'],
    ['replay_dead_letters', 'member'],
    ['discard_dead_letters', 'member'],
  ])
})
