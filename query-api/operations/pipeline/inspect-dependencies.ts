import { ownText } from '../../../schemas/domain/strangers.ts'
import { readOperation, Type } from '../define.ts'
import { inOneAnswer, instant, nullable, oneOf } from '../parts/fields.ts'
import { DEPENDENCIES, DEPENDENCY_STATES } from './dependencies.ts'

const State = Type.Object({
  name: oneOf(DEPENDENCIES),
  state: oneOf(DEPENDENCY_STATES, { description: 'unknown: what would say it is away itself.' }),
  since: nullable(Type.With(instant, { description: 'Away since, where that is known.' })),
  reason: ownText({ description: 'What it, or whoever asked it, said; empty while it answers.' }),
  effect: Type.String({ description: 'What does not work meanwhile, and what does; empty while it answers.' }),
})

export const inspectDependencies = readOperation({
  name: 'inspect_dependencies',
  title: 'What the service depends on, and whether it answers',
  summary:
    'Answers whether the stores answer this process now, whether processors serve the pipeline, and whether the models answered them last; what does not, with what that means for people.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: Type.Object({ items: inOneAnswer('one for each dependency', State) }),
  run: async (_input, { services }) => {
    const states = await services.dependencies.read()
    const items = states.map(state => ({
      ...state,
      since: state.since === null ? null : new Date(state.since).toISOString(),
    }))
    return { data: { items } }
  },
})
