import {
  connectHandoff,
  isConnected,
  type ProposedPullRequest,
  proposalAt,
  webLink,
} from '../../../model/handoffs/handoffs.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { changesOf, lockSolution, storeSolution } from '../../../model/solutions/change-solution.ts'
import { requireTransition } from '../../../model/solutions/states.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { HANDOFF_KINDS, type HandoffKind, reference } from '../../../schemas/domain/vocabulary.ts'
import { recordDecision, requireDecision } from '../decisions/decision.ts'
import { AssayError, type Transaction, Type, writeOperation } from '../define.ts'
import { comment, decisionId, nullable, oneOf, version } from '../parts/fields.ts'
import { ChangedSolution, changedSolution, solutionId } from './solution.ts'

export const handOffSolution = writeOperation({
  name: 'hand_off_solution',
  title: 'Hand a Solution off',
  summary:
    'Connects a design link or a pull request to a Solution and moves it from Planned or In Progress to In Review; one that is In Review gets another. The url of a pull request that service_lookup mode solution proposes confirms that proposal. Merged or not, it never moves to Done: service_decide mode update_solution does. Needs comment or decision_id.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    solution_id: solutionId,
    kind: oneOf(HANDOFF_KINDS, { description: 'Which kind. What is handed off.' }),
    url: Type.String({
      minLength: 1,
      maxLength: MAX_CHARACTERS.url,
      description: 'Its URL. Only https and http.',
    }),
    comment,
    decision_id: decisionId,
    version,
  }),
  output: Type.Object({
    ...ChangedSolution.properties,
    url: ownText({ description: 'As it is kept.' }),
    confirmed: nullable(
      Type.Object(
        { repository: untrustedText(), number: Type.Integer() },
        { description: 'The proposed pull request that it confirms.' },
      ),
    ),
  }),
  apply: async (input, transaction, context) => {
    const grounds = await requireDecision(transaction, context.caller, input)
    const url = webLink(input.url)
    const now = context.services.now()
    const { id } = await resolveOne(transaction, 'solution', input.solution_id)
    const solution = await lockSolution(transaction, id, input.version)
    requireTransition(solution.state, 'In Review', 'handoff')
    if (solution.state === 'In Review') await refuseAgain(transaction, solution, url)
    const proposal = await proposalAt(transaction, id, url)
    if (proposal !== undefined) requirePullRequest(input.kind, proposal)

    const wanted = { state: 'In Review' } as const
    const moved = changesOf(solution, wanted)
    await storeSolution(transaction, solution, wanted, now)
    const change = { ...moved, handoff: { kind: input.kind, url } }
    const decision = await recordDecision(transaction, context, grounds, [{ kind: 'solution', id, change }])
    const handoff = { solutionId: id, kind: input.kind, url, proposal, decisionId: decision.id, at: now }
    await connectHandoff(transaction, context.caller, handoff)
    const changed = await changedSolution(transaction, now, id, change, decision)
    return { data: { ...changed, url, confirmed: proposal ?? null } }
  },
})

const refuseAgain = async (
  transaction: Transaction,
  { id, number }: { readonly id: string; readonly number: number },
  url: string,
): Promise<void> => {
  if (!(await isConnected(transaction, id, url))) return
  throw new AssayError(
    'conflict',
    `${reference('solution', number)} is In Review with ${url} already. Nothing was changed; service_decide mode update_solution moves it on.`,
  )
}

const requirePullRequest = (kind: HandoffKind, { repository, number }: ProposedPullRequest): void => {
  if (kind === 'pull_request') return
  throw new AssayError(
    'invalid_input',
    `The url is that of pull request ${number} of ${repository}: send kind pull_request.`,
    {
      violations: [{ pointer: '/kind', message: 'must be pull_request for this url' }],
    },
  )
}
