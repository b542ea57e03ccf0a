import { STEPS, type StepName } from '../../schemas/domain/vocabulary.ts'

const TOPIC = /^signals\.([a-z]+)(?:\.bulk)?$/

/** The step at which a letter's record stands, by the topic that it came from; null for a letter that never was at one. */
export const headOf = (topic: string): StepName | null => STEPS.find(step => step === TOPIC.exec(topic)?.[1]) ?? null

/** The earliest step for which a record has the parts: normalize takes away what was received, scrub what nobody may see. */
const earliest = (head: StepName): StepName => {
  if (head === 'validate' || head === 'normalize') return 'validate'
  return head === 'scrub' ? 'scrub' : 'embed'
}

/** The steps from which a record that stands at `head` can be replayed, in their order. None behind it: their parts are not there. */
export const replayableFrom = (head: StepName): readonly StepName[] =>
  STEPS.slice(STEPS.indexOf(earliest(head)), STEPS.indexOf(head) + 1)
