import { chain } from '../framework/pipeline.ts'
import type { WithParts } from '../framework/step.ts'
import { createNormalize } from './normalize/normalize.ts'
import { createScrub, type ScrubDependencies } from './scrub/scrub.ts'
import { createValidate } from './validate/validate.ts'

/** The first steps of the pipeline: they look at each signal alone and need no store. */
export const untilScrubbed = (dependencies: ScrubDependencies) =>
  chain<WithParts<'received'>>().step(createValidate()).step(createNormalize()).step(createScrub(dependencies))
