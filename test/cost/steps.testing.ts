import assert from 'node:assert/strict'
import type { StepResult } from '../../processors/framework/step.ts'
import { createBuiltInClassifier } from '../../processors/steps/classify/built-in/classifier.ts'
import { createClassify } from '../../processors/steps/classify/classify.ts'
import { createEmbed } from '../../processors/steps/embed/embed.ts'
import { createNormalize } from '../../processors/steps/normalize/normalize.ts'
import { createScrub } from '../../processors/steps/scrub/scrub.ts'
import { embedder, received } from '../../processors/steps/testing.ts'
import { createValidate } from '../../processors/steps/validate/validate.ts'
import type { Received } from '../../schemas/events/signal.ts'

const validate = createValidate()
const normalize = createNormalize()
const scrub = createScrub({ actorKey: address => address })
const embed = createEmbed({ embedder })
const classify = createClassify({ classifier: createBuiltInClassifier() })

const added = <Adds>([result]: readonly StepResult<Adds>[]): Adds => {
  assert.equal(result?.kind, 'next', JSON.stringify(result)?.slice(0, 300))
  return result.adds
}

type Step = 'validate' | 'normalize' | 'scrub' | 'embed' | 'classify'

/**
 * A received body through the steps that read what strangers wrote, with the built-in models; each step is called by
 * `run`.
 */
export const throughSteps = async (
  body: string,
  format: Received['format'],
  run: <T>(step: Step, work: () => Promise<T>) => Promise<T>,
): Promise<void> => {
  const signal = received(body, format)
  added(await run('validate', () => validate.run([signal])))
  const { content } = added(await run('normalize', () => normalize.run([signal])))
  const clean = added(await run('scrub', () => scrub.run([{ ...signal, content }])))
  await run('embed', () => embed.run([{ ...signal, ...clean }]))
  await run('classify', () => classify.run([{ ...signal, ...clean }]))
}
