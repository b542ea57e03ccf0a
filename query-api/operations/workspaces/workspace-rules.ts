import { Type } from 'typebox'
import { WHO_MERGES } from '../../../schemas/domain/vocabulary.ts'
import { oneOf } from '../parts/fields.ts'

/** What holds in a workspace for all who work in it. */
export const WorkspaceRules = Type.Object({
  requires_app_decisions: Type.Boolean(),
  who_merges: oneOf(WHO_MERGES, { description: 'Who merges claims that a judge finds to be the same.' }),
  learns: Type.Boolean({
    description: 'Whether what people say of Signals speaks when new ones are classified.',
  }),
  asks_reasons: Type.Boolean({
    description: 'Whether the app asks why where somebody drags a Solution on the Board.',
  }),
})
