import type { Classifier } from '../../../infra/models/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { type ReadText, readLeft, readLessons, type SignalToRead } from '../../../model/learning/lessons.ts'
import { lessonChanges, storeFit } from '../../../model/learning/stored-classifier.ts'
import { teach } from '../../../model/learning/teach.ts'
import { termsOf } from '../../../model/learning/terms.ts'
import { MIN_LESSONS } from '../../../schemas/domain/limits.ts'
import { titled } from '../../steps/classify/titled.ts'
import { inWorkspace } from '../in-workspace.ts'
import type { JobDefinition, SliceResult } from '../job-kind.ts'

export interface LearnDependencies {
  readonly database: Database
  readonly classifier: Classifier
}

/**
 * Makes a workspace's own classifier from all of its lessons. It is over in one slice, of a second at most: one that is
 * cut short has stored nothing, and begins anew.
 */
export const createLearnJob = ({ database, classifier: { read, version } }: LearnDependencies): JobDefinition => ({
  kind: 'learn',
  slice: async ({ workspaceId }): Promise<SliceResult> => {
    if (read === undefined) {
      throw new AssayError(
        'invalid_configuration',
        'A model server classifies here, and a workspace teaches the built-in classifier alone. An operator unsets CLASSIFIER_URL.',
      )
    }
    const inside = inWorkspace({ database }, workspaceId)
    const { changes, lessons, left } = await inside(async transaction => {
      const changes = await lessonChanges(transaction, workspaceId)
      const lessons = await readLessons(transaction, workspaceId)
      return {
        changes,
        lessons,
        left: lessons.length < MIN_LESSONS ? null : await readLeft(transaction, workspaceId),
      }
    })
    const known = left === null ? [] : await readAll(lessons, read)
    const taught = left === null || known.length < MIN_LESSONS ? null : await teach(known, await readAll(left, read))
    const corrections = lessons.filter(lesson => lesson.is_correction).length
    const fit = { changes, beside: version, lessons: lessons.length, corrections, taught }
    await inside(transaction => storeFit(transaction, workspaceId, fit))
    return { cursor: null, done: lessons.length, failed: 0, total: lessons.length }
  },
})

/** What the classifier sees in each; one that costs it too much teaches nothing. */
const readAll = async <Signal extends SignalToRead>(
  signals: readonly Signal[],
  read: NonNullable<Classifier['read']>,
): Promise<readonly (Signal & ReadText)[]> => {
  const texts = signals.map(signal => titled(signal.text, signal))
  const readings = await Promise.all(
    texts.map((text, at) =>
      read({ text, event: signals[at]?.event ?? null }).catch(error =>
        isAssayError(error) ? null : Promise.reject(error),
      ),
    ),
  )
  return signals.flatMap((signal, at) => {
    const [text, reading] = [texts[at], readings[at]]
    return text === undefined || reading === null || reading === undefined
      ? []
      : [{ ...signal, terms: termsOf(text, reading.signs), builtIn: reading.likely }]
  })
}
