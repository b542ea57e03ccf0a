import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import type { CreatedSource } from '../../support/person.ts'
import { holds } from '../holds.ts'
import { sendConnected } from '../senders.ts'
import type { Solution, Story } from '../story.ts'
import type { Beginning } from '../world.ts'

export const describeToolsThatWrite = ({ world, early }: Beginning, story: () => Story): void => {
  describe('What the tools write', () => {
    const call = async <Data = Readonly<Record<string, unknown>>>(tool: string, mode: string, input: object = {}) =>
      (await world().agent.call<Data>(tool, { mode, ...input })).data
    const decide = <Data = { readonly solution: Solution }>(mode: string, input: object) =>
      call<Data>('service_decide', mode, input)
    const captured = early(async ({ agent }) => {
      const input = { mode: 'signal', text: 'On the phone: the parking meter eats coins.' }
      return (await agent.call<{ snippet_id: string }>('service_capture', input)).data.snippet_id
    })
    const spare = early(({ send }) => send({ text: 'The radiator ticks at night.' }))
    const proof = early(({ send }) => send({ text: 'Here too no summary has come since Monday.' }))

    holds('tool-16', async () => {
      const { state, channel } = await world().signal(captured())
      assert.deepEqual([state, channel], ['triage', 'capture'])
    })
    holds('tool-17', async () => {
      await call('service_capture', 'knowledge', { id: story().exports.id, text: 'The old mailer has to stay.' })
      const brief = await call('service_lookup', 'context', { id: story().exports.id })
      assert.match(JSON.stringify(brief.notes), /old mailer/)
    })
    holds('tool-18', async () => {
      const { id } = await world().signal(proof())
      await call('service_capture', 'evidence', {
        signal_id: id,
        claim_id: story().problemClaim,
        reason: 'It tells of the same summary.',
      })
      const { claims } = await world().signal(id)
      assert.ok(claims.some(claim => claim.id === story().problemClaim))
    })
    holds('tool-19', async () => {
      const { id } = await world().signal(spare())
      await decide('triage', { action: 'dismiss', signal_id: id })
      assert.equal((await world().signal(id)).state, 'dismissed')
      await decide('triage', { action: 'undo', signal_id: id })
      assert.equal((await world().signal(id)).state, 'triage')
    })
    holds('tool-20', () => {
      assert.ok(isUuid(story().exports.id))
      assert.equal(story().exports.state, 'Backlog')
    })
    holds('tool-21', async () => {
      const update = { solution_id: story().reviewed.id, title: 'Much faster search', comment: 'A better name.' }
      assert.equal((await decide('update_solution', update)).solution.title, 'Much faster search')
    })
    holds('tool-22', async () => {
      const boost = { solution_id: story().reviewed.id, priority_boost: 0.5, comment: 'It can wait.' }
      assert.equal((await decide('prioritize', boost)).solution.priority_boost, 0.5)
    })
    holds('tool-23', async () => {
      const { outcome } = await call<{ outcome: { verdict: string; observation: string } }>(
        'service_lookup',
        'outcome',
        {
          id: story().shipped.id,
        },
      )
      assert.partialDeepStrictEqual(outcome, { verdict: 'met', observation: 'A third less.' })
    })
    holds('tool-24', async () => {
      const logged = await decide<{ reference: string }>('decision', { statement: 'We promise no dates.' })
      const { decision } = await call<{ decision: object }>('service_lookup', 'decision', { id: logged.reference })
      assert.match(JSON.stringify(decision), /We promise no dates/)
    })
    holds('tool-26', async () => {
      const { id } = await call<{ id: string }>('service_map', 'add_node', { name: 'Calendar' }).then(added =>
        'node' in added ? (added.node as { id: string }) : added,
      )
      await call('service_map', 'update_node', { id, name: 'Calendars' })
      assert.match(JSON.stringify(await call('service_map', 'read')), /"Calendars"/)
      await call('service_map', 'remove_node', { id })
      assert.doesNotMatch(JSON.stringify(await call('service_map', 'read')), /"Calendars"/)
    })
    holds('tool-28', async () => {
      const source = await call<CreatedSource>('service_connect', 'create', { name: 'By an agent' })
      await eventually('the edge takes it', async () => {
        const { status } = await sendConnected(source, { text: 'Sent through what an agent has just created.' })
        return status === 200
      })
    })
    holds('tool-36', async () => {
      const { id: solution_id } = story().theme
      const update = { solution_id, priority_boost: 1.5, comment: 'A large customer waits for it.' }
      const { solution } = await decide('update_solution', update)
      assert.deepEqual([solution.id, solution.priority_boost], [solution_id, 1.5])
    })
  })
}
