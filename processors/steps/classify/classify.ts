import { BUILT_IN_MODEL } from '../../../infra/models/meaning/name.ts'
import type { Classifiable, Classifier, Reading } from '../../../infra/models/port.ts'
import { isTooCostly, withinRest } from '../../../infra/runtime/cpu-budget.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { fromVectorBytes } from '../../../infra/vectors.ts'
import { decideBeside } from '../../../model/learning/learned-classifier.ts'
import type { FollowClassifiers, StoredClassifier } from '../../../model/learning/stored-classifier.ts'
import { termsOf } from '../../../model/learning/terms.ts'
import type { Classified, Embedding } from '../../../schemas/events/signal.ts'
import { dead, next, retry, type StepDefinition, type StepResult, type WithParts } from '../../framework/step.ts'
import { createBuiltInClassifier } from './built-in/classifier.ts'
import { titled } from './titled.ts'

/** How many signals are classified at a time, where the classifier does not say. */
const AT_ONCE = 8

type Needs = WithParts<'content'> & { readonly embedding?: Embedding | null }
type Adds = { readonly classification: Classified }
type TextToClassify = Pick<Needs, 'channel' | 'workspace_id'> & Classifiable

interface ClassifyDependencies {
  readonly classifier: Classifier
  /** What workspaces have taught; it speaks beside a classifier that shows what it sees. Nothing unless given. */
  readonly taught?: FollowClassifiers
}

const nothingTaught: FollowClassifiers = async () => new Map()

/** Says what each signal is: problem, idea or question, or unclassified when the classifier is not sure. */
export const createClassify = ({
  classifier,
  taught = nothingTaught,
}: ClassifyDependencies): StepDefinition<Needs, Adds> => ({
  name: 'classify',
  summary:
    'Classifies the signal as problem, idea or question, or leaves it unclassified, by the configured model, or by the built-in classifier and what the workspace has taught.',
  guarantee: 'Writes nothing; another run asks the classifier again.',
  version: classifier.version,
  run: async batch => {
    const results: StepResult<Adds>[] = []
    const texts = withinRest(() => batch.map(textOf))
    const workspaces = classifier.read === undefined ? [] : texts.map(({ workspace_id }) => workspace_id)
    const lessons = await taught(workspaces)
    const { atOnce = AT_ONCE } = classifier
    for (let start = 0; start < texts.length; start += atOnce) {
      const some = texts.slice(start, start + atOnce)
      const heard = await Promise.all(some.map(one => classifyOne(classifier, one, lessons.get(one.workspace_id))))
      const answers = decided(classifier, some, heard)
      // Going on would keep the rest of the batch waiting call by call, and count an attempt for each.
      if (answers.length === atOnce && answers.every(({ kind }) => kind === 'retry')) {
        throw new AssayError(
          'unavailable',
          `None of ${atOnce} calls to the classifier ${classifier.version} succeeded.`,
        )
      }
      results.push(...answers)
    }
    return results
  },
})

/** The text with its title, and its vector where that is the built-in embedder's, of the same text. */
const textOf = ({ channel, workspace_id, content, embedding }: Needs): TextToClassify => {
  const text = withTitle(content)
  const one = { channel, workspace_id, text, event: content.event }
  return embedding?.model === BUILT_IN_MODEL && text === content.text
    ? { ...one, vector: fromVectorBytes(embedding.vector) }
    : one
}

const withTitle = ({ text, metadata }: Needs['content']): string =>
  // Normalize wrote it: an object.
  /"(?:title|subject)"/.test(metadata) ? titled(text, JSON.parse(metadata) as Readonly<Record<string, unknown>>) : text

/** What the classifier sees in a text whose workspace has taught something, which has its say as well. */
interface Beside {
  readonly kind: 'beside'
  readonly reading: Reading
  readonly taught: StoredClassifier
}

/**
 * A call that may succeed when repeated sends this signal alone to retry; where the model has no usable answer for a
 * text, the built-in classifier gives one. Rejects when the model is away as a whole, so that the runtime waits for it.
 */
const classifyOne = async (
  classifier: Classifier,
  { channel, workspace_id: _, ...content }: TextToClassify,
  taught: StoredClassifier | undefined,
): Promise<StepResult<Adds> | Beside> => {
  // What a code host tells is work on the product, not a report about it: a commit that fixes a crash is no problem
  // that a customer has.
  if (channel === 'code_host') {
    return next({ classification: { label: 'unclassified', confidence: 1, version: classifier.version } })
  }
  try {
    if (classifier.read === undefined || taught === undefined) return await labelled(classifier, content)
    return { kind: 'beside', reading: await classifier.read(content), taught }
  } catch (error) {
    if (isTooCostly(error)) return dead(error.publicMessage, 'too_costly')
    if (!isAssayError(error) || error.code === 'unavailable') throw error
    return error.retriable ? retry(error.publicMessage) : labelled(BUILT_IN, content)
  }
}

const BUILT_IN = createBuiltInClassifier()

/** The answers, with what workspaces have taught. They share a watchdog: it costs more than one of them does. */
const decided = (
  { version }: Classifier,
  texts: readonly TextToClassify[],
  heard: readonly (StepResult<Adds> | Beside)[],
): readonly StepResult<Adds>[] => {
  const decideOne = (one: StepResult<Adds> | Beside, index: number): StepResult<Adds> => {
    if (one.kind !== 'beside') return one
    const { reading, taught } = one
    const terms = termsOf(texts[index]?.text ?? '', reading.signs)
    const answer = decideBeside(taught.learned, terms, reading.likely)
    return next({ classification: { ...answer, version: `${version} with lessons/${taught.revision}` } })
  }
  const decideEach = () => heard.map(decideOne)
  return heard.some(({ kind }) => kind === 'beside') ? withinRest(decideEach) : decideEach()
}

const labelled = async (classifier: Classifier, content: Classifiable): Promise<StepResult<Adds>> => {
  const { label, confidence, version = classifier.version } = await classifier.classify(content)
  return next({ classification: { label, confidence, version } })
}
