import { BUILT_IN_MODEL } from '../../../infra/models/meaning/name.ts'
import type { Classifiable, Classifier, Reading } from '../../../infra/models/port.ts'
import { isTooCostly, withinRemainingCpu } from '../../../infra/runtime/cpu-budget.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { fromVectorBytes } from '../../../infra/vectors.ts'
import { decideBeside } from '../../../model/learning/learned-classifier.ts'
import type { StoredClassifier } from '../../../model/learning/stored-classifier.ts'
import { termsOf } from '../../../model/learning/terms.ts'
import { noiseBeside, saidOf } from '../../../model/signals/leaning.ts'
import { NOTHING, UNKNOWN_LANGUAGE } from '../../../model/signals/says-nothing.ts'
import type { Follow } from '../../../model/workspaces/follow.ts'
import type { Classified, Embedding } from '../../../schemas/events/signal.ts'
import { dead, next, retry, type StepDefinition, type StepResult, type WithParts } from '../../framework/step.ts'
import { createBuiltInClassifier } from './built-in/classifier.ts'
import { titled } from './titled.ts'

/** Signals that are classified at once, unless the classifier says otherwise. */
const CLASSIFY_CONCURRENCY = 8

type Needs = WithParts<'content'> & { readonly embedding?: Embedding | null }
type Adds = { readonly classification: Classified }
type TextToClassify = Pick<Needs, 'channel' | 'workspace_id'> & Classifiable

interface ClassifyDependencies {
  readonly classifier: Classifier
  /** Lessons of workspaces, for a classifier that shows its features. Default: none. */
  readonly taught?: Follow<StoredClassifier>
}

const nothingTaught: Follow<StoredClassifier> = async () => new Map()

/** Labels each signal as problem, idea or question, or as unclassified when the classifier is not sure. */
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
    const texts = withinRemainingCpu(() => batch.map(textOf))
    const workspaces = classifier.read === undefined ? [] : texts.map(({ workspace_id }) => workspace_id)
    const lessons = await taught(workspaces)
    const { atOnce = CLASSIFY_CONCURRENCY } = classifier
    for (let start = 0; start < texts.length; start += atOnce) {
      const some = texts.slice(start, start + atOnce)
      const heard = await Promise.all(some.map(one => classifyOne(classifier, one, lessons.get(one.workspace_id))))
      const answers = decided(classifier, some, heard)
      // Further calls would delay the rest of the batch one by one, and count an attempt for each.
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

/** The text with its title, and its vector when the built-in embedder made it from the same text. */
const textOf = ({ channel, workspace_id, content, embedding }: Needs): TextToClassify => {
  const text = withTitle(content)
  const one = { channel, workspace_id, text, event: content.event }
  return embedding?.model === BUILT_IN_MODEL && text === content.text
    ? { ...one, vector: fromVectorBytes(embedding.vector) }
    : one
}

const withTitle = ({ text, metadata }: Needs['content']): string =>
  // Normalize writes metadata as an object.
  /"(?:title|subject)"/.test(metadata) ? titled(text, JSON.parse(metadata) as Readonly<Record<string, unknown>>) : text

/** The classifier's features of a text in a workspace with lessons. The lessons decide with them. */
interface Beside {
  readonly kind: 'beside'
  readonly reading: Reading
  readonly taught: StoredClassifier
}

/**
 * Classifies one text. After a retriable error this signal alone goes to retry; when the model has no usable answer,
 * the built-in classifier answers. Rejects when the model is away, so that the runtime waits.
 */
const classifyOne = async (
  classifier: Classifier,
  { channel, workspace_id: _, ...content }: TextToClassify,
  taught: StoredClassifier | undefined,
): Promise<StepResult<Adds> | Beside> => {
  // A code host reports work on the product: a commit that repairs a crash is no customer's problem.
  if (channel === 'code_host') {
    return next({ classification: { ...NO_NEED, version: classifier.version } })
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

const NO_NEED = { label: 'unclassified', confidence: 1, perhaps: null } as const
const BUILT_IN = createBuiltInClassifier()

/** Applies the workspaces' lessons to the answers. All answers share a watchdog, which costs more than one of them. */
const decided = (
  { version }: Classifier,
  texts: readonly TextToClassify[],
  heard: readonly (StepResult<Adds> | Beside)[],
): readonly StepResult<Adds>[] => {
  const decideOne = (one: StepResult<Adds> | Beside, index: number): StepResult<Adds> => {
    if (one.kind !== 'beside') return one
    const { reading, taught } = one
    const terms = termsOf(texts[index]?.text ?? '', reading.signs)
    const { likely, noise } = reading
    const answer = decideBeside(taught.learned, terms, likely)
    const said = saidOf(answer, noise === null ? null : noiseBeside(noise, likely, answer.likely))
    const unknown = noise === null && said.label === 'unclassified' ? UNKNOWN_LANGUAGE : ''
    return next({ classification: { ...said, version: `${version} with lessons/${taught.revision}${unknown}` } })
  }
  const decideEach = () => heard.map(decideOne)
  return heard.some(({ kind }) => kind === 'beside') ? withinRemainingCpu(decideEach) : decideEach()
}

const labelled = async (classifier: Classifier, content: Classifiable): Promise<StepResult<Adds>> => {
  const { label, confidence, perhaps = null, version = classifier.version } = await classifier.classify(content)
  const asksForNothing = label === 'unclassified' && confidence > NOTHING
  return next({ classification: { label, confidence, version, perhaps: asksForNothing ? null : perhaps } })
}
