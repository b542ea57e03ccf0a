import type { Classifier } from '../../../infra/models/classifier.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { LEAST_LESSONS, type Lesson, readLeftAsTheyWere, readLessons } from '../../../model/learning/lessons.ts'
import { lessonChanges, storeFit } from '../../../model/learning/stored-classifier.ts'
import { type ReadText, teach, worthOfLeft } from '../../../model/learning/teach.ts'
import { termsOf } from '../../../model/learning/terms.ts'
import type { JobDefinition, SliceResult } from '../job-kind.ts'

export interface LearnDependencies {
  readonly database: Database
  readonly classifier: Classifier
}

/**
 * Makes a workspace's own classifier from all of its lessons. It is over in one slice, of a second at most: one that is cut short has
 * stored nothing, and begins anew.
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
    const inside = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
      database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, work)
    const { changes, lessons } = await inside(async transaction => ({
      changes: await lessonChanges(transaction, workspaceId),
      lessons: await readLessons(transaction, workspaceId),
    }))
    const known = lessons.length < LEAST_LESSONS ? [] : await readAll(lessons, read)
    const left = worthOfLeft(known) > 0 ? await inside(reading => readLeftAsTheyWere(reading, workspaceId)) : []
    const taught = known.length < LEAST_LESSONS ? null : await teach(known, await readAll(left, read))
    const corrections = lessons.filter(lesson => lesson.is_correction).length
    const fit = { changes, beside: version, lessons: lessons.length, corrections, taught }
    await inside(transaction => storeFit(transaction, workspaceId, fit))
    return { cursor: null, done: lessons.length, failed: 0, total: lessons.length }
  },
})

type Labelled = Omit<Lesson, 'is_correction'>

/** What the classifier sees in each; one that costs it too much teaches nothing. */
const readAll = async <Text extends Labelled>(
  texts: readonly Text[],
  read: NonNullable<Classifier['read']>,
): Promise<readonly (Text & ReadText)[]> => {
  const readings = await Promise.all(
    texts.map(({ text, event }) =>
      read({ text, event }).catch(error => (isAssayError(error) ? null : Promise.reject(error))),
    ),
  )
  return texts.flatMap((text, at) => {
    const reading = readings[at]
    return reading === null || reading === undefined
      ? []
      : [{ ...text, terms: termsOf(text.text, reading.signs), builtIn: reading.likely }]
  })
}
