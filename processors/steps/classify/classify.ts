import type { Classifier } from '../../../infra/models/classifier.ts'
import { isTooCostly } from '../../../infra/runtime/cpu-budget.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import type { Classified } from '../../../schemas/events/signal.ts'
import { dead, next, retry, type StepResult } from '../../framework/results.ts'
import type { StepDefinition, WithParts } from '../../framework/step.ts'
import { createBuiltInClassifier } from './built-in/classifier.ts'

/** How many signals are classified at a time: a model server answers them one by one. */
const AT_ONCE = 8

type Needs = WithParts<'content'>
type Adds = { readonly classification: Classified }
type Asked = Pick<Needs, 'channel'> & Pick<Needs['content'], 'text' | 'event'>

/** Says what each signal is: problem, idea or question, or unclassified when the classifier is not sure. */
export const createClassify = ({ classifier }: { readonly classifier: Classifier }): StepDefinition<Needs, Adds> => ({
  name: 'classify',
  summary:
    'Classifies the signal as problem, idea or question, or leaves it unclassified, by the configured model or the built-in classifier.',
  guarantee: 'Writes nothing; another run asks the classifier again.',
  version: classifier.version,
  run: async batch => {
    const results: StepResult<Adds>[] = []
    const asked = batch.map(({ channel, content }) => ({ channel, text: withTitle(content), event: content.event }))
    for (let start = 0; start < asked.length; start += AT_ONCE) {
      const some = asked.slice(start, start + AT_ONCE)
      const answers = await Promise.all(some.map(one => classifyOne(classifier, one)))
      // Going on would keep the rest of the batch waiting call by call, and count an attempt for each.
      if (answers.length === AT_ONCE && answers.every(({ kind }) => kind === 'retry')) {
        throw new AssayError(
          'unavailable',
          `None of ${AT_ONCE} calls to the classifier ${classifier.version} succeeded.`,
        )
      }
      results.push(...answers)
    }
    return results
  },
})

const MAX_TITLE_LENGTH = 200

/** The text under its title. Mail begins with its subject; trackers and help desks may send theirs as `title` or `subject` of the metadata. */
const withTitle = ({ text, metadata }: Needs['content']): string => {
  if (!/"(?:title|subject)"/.test(metadata)) return text
  // Normalize wrote it: an object.
  const { title, subject } = JSON.parse(metadata) as Readonly<Record<string, unknown>>
  const found = [title, subject].find(one => typeof one === 'string' && one.trim() !== '')
  if (typeof found !== 'string') return text
  const heading = found.trim().slice(0, MAX_TITLE_LENGTH)
  return text.startsWith(heading) ? text : `${heading}\n\n${text}`
}

/**
 * A call that may succeed when repeated sends this signal alone to retry; where the model has no usable answer for a text, the built-in
 * classifier gives one. Rejects when the model is away as a whole, so that the runtime waits for it.
 */
const classifyOne = async (classifier: Classifier, { channel, ...content }: Asked): Promise<StepResult<Adds>> => {
  // What a code host tells is work on the product, not a report about it: a commit that fixes a crash is no problem that a customer has.
  if (channel === 'code_host') {
    return next({ classification: { label: 'unclassified', confidence: 1, version: classifier.version } })
  }
  try {
    return await labelled(classifier, content)
  } catch (error) {
    if (isTooCostly(error)) return dead(error.publicMessage, 'too_costly')
    if (!isAssayError(error) || error.code === 'unavailable') throw error
    return error.retriable ? retry(error.publicMessage) : labelled(BUILT_IN, content)
  }
}

const BUILT_IN = createBuiltInClassifier()

const labelled = async (classifier: Classifier, { text, event }: Omit<Asked, 'channel'>): Promise<StepResult<Adds>> => {
  const { label, confidence, version = classifier.version } = await classifier.classify({ text, event })
  return next({ classification: { label, confidence, version } })
}
