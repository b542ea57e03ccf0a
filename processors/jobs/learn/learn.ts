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
 * Trains a workspace's own classifier on all of its lessons, in one slice of a second at most. A slice that ends early
 * has stored nothing.
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
    // Before the lessons: a change in between is learned again.
    const changes = await inside(transaction => lessonChanges(transaction, workspaceId))
    // Lessons depend on Decisions, which the pipeline's role does not read.
    const lessons = await database.transaction(
      { role: 'assay_app', workspaceId, allowedDuringImport: true },
      transaction => readLessons(transaction, workspaceId),
    )
    const left = lessons.length < MIN_LESSONS ? null : await inside(transaction => readLeft(transaction, workspaceId))
    const known = left === null ? [] : await readAll(lessons, read)
    const taught = left === null || known.length < MIN_LESSONS ? null : await teach(known, await readAll(left, read))
    const corrections = lessons.filter(lesson => lesson.is_correction).length
    const fit = { changes, beside: version, lessons: lessons.length, corrections, taught }
    await inside(transaction => storeFit(transaction, workspaceId, fit))
    return { cursor: null, done: lessons.length, failed: 0, total: lessons.length }
  },
})

/** Features that the classifier reads from each signal. A signal over the CPU budget teaches nothing. */
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
