import { eventually } from '../../../infra/runtime/testing.ts'
import { type Person, signUp } from '../../../test/support/person.ts'
import { QUESTION, tell } from '../merges-story.ts'

/** What the forms of the stories are about, each once. */
export interface Arranged {
  readonly claim: string
  readonly solution: string
  readonly done: string
  readonly element: string
  readonly group: string
  readonly node: string
  /** A Solution that is In Progress and answers the claim. */
  readonly started: string
  /** A signal without a claim, in Triage. */
  readonly question: string
}

interface Made {
  readonly id: string
  readonly reference: string
}

/** A second person of the workspace, who may change the same things. */
export const inviteColleague = async (person: Person): Promise<Person> => {
  const { url } = await person.call<{ url: string }>('invite_member', { label: 'Colleague', role: 'member' })
  const token = new URL(url).hash.slice(1)
  const colleague = await signUp(person.baseUrl, token)
  const { workspace_id } = await colleague.call<{ workspace_id: string }>('accept_invitation', { token })
  return colleague.inWorkspace(workspace_id)
}

export const arrange = async (person: Person): Promise<Arranged> => {
  const comment = 'For the story.'
  const send = await tell(person)
  const { claim } = await send('The export of large boards fails with an error 500 when I click on download.')
  const { signal: question } = await send(QUESTION)
  await person.call('write_comment', { id: claim, text: 'Seen by support, too.' })
  const solutionOf = async (title: string, claims: readonly string[] = []) => {
    const { solution } = await person.call<{ solution: Made }>('create_solution', {
      title,
      ...(claims.length > 0 && { claim_ids: claims }),
      comment,
    })
    return solution.reference
  }
  const started = await solutionOf('Export in the background', [claim])
  const solution = await solutionOf('Export in parts')
  const done = await solutionOf('Faster export')
  for (const state of ['Planned', 'In Progress'])
    for (const id of [started, done]) await person.call('update_solution', { solution_id: id, state, comment })
  await person.call('hand_off_solution', {
    solution_id: done,
    kind: 'design',
    url: 'https://example.com/design',
    comment,
  })
  await person.call('update_solution', { solution_id: done, state: 'Done', comment })
  await person.call('record_outcome', {
    solution_id: done,
    expectation: 'Exports end.',
    observation: 'They do.',
    verdict: 'met',
    comment,
  })
  const vision = { action: 'add', layer: 'vision', title: 'Boards for all', claim_ids: [claim] }
  await person.call('change_strategy', { ...vision, comment })
  const { items } = await person.call<{ items: readonly Made[] }>('orient_strategy')
  const { group } = await person.call<{ group: Made }>('change_group', {
    action: 'create',
    name: 'Exports',
    solution_ids: [started],
    comment,
  })
  await person.call('change_roadmap', { action: 'place', solution_id: solution, horizon: 'next', comment })
  const node = await person.call<Made>('add_map_node', { name: 'Exports', description: 'Tables as files.' })
  return {
    claim,
    solution,
    done,
    element: await eventually('the element is there', async () => items[0]?.id ?? null),
    group: group.id,
    node: node.id,
    started,
    question,
  }
}
