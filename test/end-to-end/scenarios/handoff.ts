import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { type Agent, agentOf } from '../../support/agent.ts'
import type { Installation } from '../../support/installation.ts'
import { type CreatedSource, signUp } from '../../support/person.ts'
import { deliverPullRequest } from '../../support/pull-request.ts'

interface SolutionAnswer {
  readonly state: string
  readonly proposed_handoffs: readonly {
    readonly number: number
    readonly state: string
    readonly repository: string
  }[]
}

export const describeHandoff = (installation: () => Installation): void => {
  describe('A pull request that names a Solution', () => {
    let forgejo: CreatedSource
    let agent: Agent

    before(async () => {
      const person = await signUp(installation().baseUrl)
      const wanted = { kind: 'code_host', name: 'Code', code_host: 'forgejo' }
      forgejo = await person.call<CreatedSource>('create_source', wanted)
      agent = await agentOf(person)
      await agent.call('service_decide', {
        mode: 'create_solution',
        title: 'Export in pages',
        comment: 'We build it this quarter.',
      })
    })
    after(async () => {
      await agent?.close()
    })

    const deliver = async (action: 'opened' | 'closed', merged: boolean, at: string) => {
      const { status, body: answer } = await deliverPullRequest(forgejo, {
        action,
        number: 12,
        title: 'Export in pages',
        body: 'Every page has its own file.',
        branch: 'sol-1-export',
        merged,
        at,
      })
      assert.equal(status, 200, JSON.stringify(answer))
    }

    const proposed = (state: string) =>
      eventually(`the pull request is proposed as ${state}`, async () => {
        const { data } = await agent.call<SolutionAnswer>('service_lookup', { mode: 'solution', id: 'SOL-1' })
        return data.proposed_handoffs[0]?.state === state ? data : null
      })

    it('is proposed as its handoff, opened and then merged, and moves nothing', async () => {
      await deliver('opened', false, '2026-01-01T10:00:00Z')
      await proposed('opened')
      await deliver('closed', true, '2026-01-02T10:00:00Z')
      const solution = await proposed('merged')
      assert.equal(solution.proposed_handoffs.length, 1)
      assert.equal(solution.proposed_handoffs[0]?.repository, 'forgejo/team/app')
      assert.equal(solution.state, 'Backlog')
    })
  })
}
