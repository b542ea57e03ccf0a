import type { Classified } from '../../../schemas/events/signal.ts'
import { next } from '../../framework/results.ts'
import type { StepDefinition, With } from '../../framework/step.ts'
import { score } from './score.ts'

const VERSION = 'rules-1'

/**
 * Says what a signal is: problem, idea or question, or unclassified when the rules see too little. What a code host tells is work on the
 * product, not a report about it: a commit that fixes a crash is no problem that a customer has.
 */
export const createClassify = (): StepDefinition<With<'content'>, { readonly classification: Classified }> => ({
  name: 'classify',
  summary:
    'Classifies the signal as problem, idea or question, or leaves it unclassified, by rules in several languages.',
  guarantee: 'A function of the record and the rules’ version: the same record gives the same label.',
  version: VERSION,
  run: async batch =>
    batch.map(({ channel, content }) => {
      const scored =
        channel === 'code_host' ? { label: 'unclassified' as const, confidence: 1 } : score(content.text, content.event)
      return next({ classification: { ...scored, version: VERSION } })
    }),
})
