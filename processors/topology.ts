import type { TopicDefinition } from '../infra/log/port.ts'
import type { Classifier, Embedder, Judge } from '../infra/models/port.ts'
import type { Database } from '../infra/postgres/port.ts'
import { followedClassifiers } from '../model/learning/stored-classifier.ts'
import type { Neighbours } from '../model/neighbours/neighbours.ts'
import { followedPassages } from '../model/themes/shared-passages.ts'
import type { Words } from '../model/words/words.ts'
import { followWorkspaces } from '../model/workspaces/follow.ts'
import type { StepName } from '../schemas/domain/vocabulary.ts'
import { topicsWithLeftover } from './framework/leftover-topics.ts'
import { createPipeline, type Pipeline, type PipelineRules } from './framework/pipeline.ts'
import type { RetryDelay, TopicSettings } from './framework/topics.ts'
import { createAnchor } from './steps/anchor/anchor.ts'
import { createBuiltInClassifier } from './steps/classify/built-in/classifier.ts'
import { createClassify } from './steps/classify/classify.ts'
import { createCluster } from './steps/cluster/cluster.ts'
import { createDedup } from './steps/dedup/dedup.ts'
import { createEmbed } from './steps/embed/embed.ts'
import { createInsert } from './steps/insert/insert.ts'
import { untilScrubbed } from './steps/until-scrubbed.ts'

/** Default heads: the steps that have a topic of their own. */
export const DEFAULT_HEADS: readonly StepName[] = ['validate', 'embed', 'anchor', 'cluster']

const RULES: PipelineRules = {
  scrubbedBy: 'scrub',
  keyedBySignalThrough: 'embed',
  apart: [{ earlier: 'insert', later: 'cluster', because: 'since a slow judge would hold rows back' }],
}

export interface StepDependencies {
  readonly database: Database
  readonly neighbours: Neighbours
  readonly words: Words
  readonly embedder: Embedder
  /** Null: no judge is configured, so nothing merges by itself. */
  readonly judge: Judge | null
  readonly classifier: Classifier
  /** The keyed HMAC that replaces a sender's address. */
  readonly actorKey: (address: string) => string
}

/** The pipeline, from top to bottom. Rejects with `invalid_configuration` when the heads do not fit the steps. */
export const createTopology = (
  { database, neighbours, words, embedder, judge, classifier, actorKey }: StepDependencies,
  heads: readonly StepName[] = DEFAULT_HEADS,
): Pipeline => {
  const { steps } = untilScrubbed({ actorKey })
    .step(createEmbed({ embedder, sharedPassages: followWorkspaces(database, followedPassages) }))
    .step(createAnchor({ database, embedder }))
    .step(createDedup({ database, embedder, neighbours, actorKey }))
    .step(createClassify({ classifier, taught: followWorkspaces(database, followedClassifiers(classifier.version)) }))
    .step(createInsert({ database, neighbours, actorKey }))
    .step(createCluster({ database, embedder, neighbours, words, judge }))
  return createPipeline(steps, heads, RULES)
}

const cannotRun = () => Promise.reject(new Error('This topology only describes the pipeline.'))

/** The pipeline for its topics and its reference. Its steps cannot run. */
export const describeTopology = (heads: readonly StepName[] = DEFAULT_HEADS): Pipeline =>
  createTopology(
    {
      database: { transaction: cannotRun, ping: cannotRun, close: cannotRun },
      neighbours: {
        warm: cannotRun,
        fill: cannotRun,
        refresh: cannotRun,
        isWhole: () => false,
        forgetOldest: () => {},
        through: () => 0,
        nearest: () => [],
      },
      words: {
        warm: cannotRun,
        refresh: cannotRun,
        forget: () => {},
        nearest: () => [],
        nearestTo: () => [],
        rarityOf: () => undefined,
        compare: () => [],
      },
      embedder: { model: '', limitation: null, embed: cannotRun },
      judge: null,
      classifier: createBuiltInClassifier(),
      actorKey: address => address,
    },
    heads,
  )

interface PipelineSettings extends TopicSettings {
  readonly heads: readonly StepName[]
  readonly retryDelays: readonly RetryDelay[]
}

/**
 * Every topic of an installation, with those that earlier settings left among the topics of its log. Rejects with
 * `invalid_configuration` when the heads do not fit the steps.
 */
export const topicsOf = (settings: PipelineSettings, existing: readonly string[] = []): readonly TopicDefinition[] =>
  topicsWithLeftover(describeTopology(settings.heads), settings, existing)
