import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { type Agent, agentOf } from '../../support/agent.ts'
import type { Installation } from '../../support/installation.ts'
import { type CreatedSource, signUp } from '../../support/person.ts'
import { post, sign } from '../../support/sender.ts'

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

    const deliver = async (action: string, merged: boolean, at: string) => {
      const body = JSON.stringify({
        action,
        pull_request: {
          number: 12,
          title: 'Export in pages',
          body: 'Every page has its own file.',
          html_url: 'https://code.example.com/team/app/pulls/12',
          merged,
          merged_at: merged ? at : null,
          head: { ref: 'sol-1-export' },
          base: { ref: 'main' },
          created_at: at,
          updated_at: at,
        },
        repository: { full_name: 'team/app', html_url: 'https://code.example.com/team/app' },
        sender: { login: 'maintainer' },
      })
      const { status, body: answer } = await post(forgejo.url, body, {
        'x-forgejo-event': 'pull_request',
        'x-forgejo-delivery': `delivery-${action}`,
        'x-hub-signature-256': sign(forgejo.secret, body),
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
