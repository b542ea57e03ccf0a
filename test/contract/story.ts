import type { SeenSignal, World } from './world.ts'

/** What a team has been through before a test looks: evidence, and four Solutions, each further than the one before. */
export interface Story {
  /** A problem's Signal with its claim, and an idea's with its Opportunity. */
  readonly problem: SeenSignal
  readonly idea: SeenSignal
  readonly problemClaim: string
  readonly ideaClaim: string
  /** Answers the problem; it has a Living Document and is on the roadmap. */
  readonly exports: Solution
  /** Answers the idea. */
  readonly theme: Solution
  /** Handed off with a pull request: In Review. */
  readonly reviewed: Solution
  /** Handed off with a design, Done, with an Outcome. */
  readonly shipped: Solution
}

export interface Solution {
  readonly id: string
  readonly reference: string
  readonly title: string
  readonly state: string
  readonly priority_boost: number
}

interface Changed {
  readonly solution: Solution
}

const hasClaim = ({ claims }: SeenSignal): boolean => claims.length > 0

export const tellStory = async ({ agent, send, signal }: World): Promise<Story> => {
  const decide = async (mode: string, input: object): Promise<Solution> =>
    (await agent.call<Changed>('service_decide', { mode, ...input })).data.solution
  const create = (title: string, more: object = {}) =>
    decide('create_solution', { title, comment: `We build ${title}.`, ...more })
  const toReview = async (title: string, handoff: object) => {
    const { id } = await create(title)
    await decide('update_solution', { solution_id: id, state: 'Planned', comment: 'There is room for it.' })
    return decide('handoff', { solution_id: id, comment: 'It is ready to look at.', ...handoff })
  }
  const ship = async () => {
    const { id } = await toReview('Shorter receipts', { kind: 'design', url: 'https://design.example.com/receipts' })
    const solution = await decide('update_solution', { solution_id: id, state: 'Done', comment: 'It is out.' })
    const outcome = { expectation: 'Less paper.', observation: 'A third less.', verdict: 'met', comment: 'We looked.' }
    await agent.call('service_decide', { mode: 'outcome', solution_id: id, ...outcome })
    return solution
  }
  const [problemId, ideaId] = [
    await send({ text: 'The weekly summary is broken, it fails with an error for everybody.', source: 'help-desk' }),
    await send({ text: 'It would be great if we could pick the colours of the calendar.', source: 'survey' }),
  ]
  const [reviewed, shipped, problem, idea] = await Promise.all([
    toReview('Faster search', { kind: 'pull_request', url: 'https://code.example.com/team/app/pulls/7' }),
    ship(),
    signal(problemId, hasClaim),
    signal(ideaId, hasClaim),
  ])
  const [problemClaim = '', ideaClaim = ''] = [problem.claims[0]?.id, idea.claims[0]?.id]
  const exports = await create('Reliable summaries', { claim_ids: [problemClaim] })
  const theme = await create('Colours of the calendar', { claim_ids: [ideaClaim] })
  const about = { solution_id: exports.id, comment: 'As we agreed.' }
  await decide('roadmap', { action: 'place', horizon: 'now', ...about })
  await agent.call('service_decide', { mode: 'living_doc', markdown: '# Goal\n\nNo summary fails.\n', ...about })
  await agent.call('service_decide', {
    mode: 'group',
    action: 'create',
    name: 'This quarter',
    comment: 'For planning.',
  })
  const vision = { layer: 'vision', title: 'Everybody is informed', comment: 'Our vision.' }
  await agent.call('service_decide', { mode: 'strategy', action: 'add', ...vision })
  return { problem, idea, problemClaim, ideaClaim, exports, theme, reviewed, shipped }
}
