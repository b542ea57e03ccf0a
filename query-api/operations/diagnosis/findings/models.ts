import { ordinalOf } from '../../../../model/diagnosis/pipeline-facts.ts'
import { ATTACH_AT } from '../../../../model/map/fit.ts'
import { counted, plural } from '../../../../schemas/domain/for-people.ts'
import { type Check, daysBefore } from '../finding.ts'

/** Findings about the models and the map. */

const JOBS_CALL = { tool: 'service_support', mode: 'jobs', arguments: {} } as const

const otherModels: Check = ({
  evidence: { other_models: models, nodes_without_vector: nodes },
  embedder,
  started_at,
}) => {
  if (models.length === 0 && nodes === 0) return null
  const descriptions = models.map(
    ({ model, vectors }) => `${counted(vectors, 'vector')} of Signals ${plural(vectors, 'is', 'are')} of ${model}`,
  )
  return {
    finding: 'vectors_of_another_model',
    severity: 'degraded',
    cause: `The embedder is ${embedder.model} now; vectors of two models are never compared.`,
    since: started_at.toISOString(),
    mended_by: 'operator',
    evidence: `${[...descriptions, `${nodes} map nodes have none of ${embedder.model}`].join('; ')}.`,
    next: { ...JOBS_CALL, reason: 'Shows how far re_embed is, which starts by itself.' },
    remedy:
      'Wait for re_embed to end, or start it with service_support mode start_job. Until then Signals without a vector are found by their words alone.',
  }
}

const withoutVectors: Check = ({
  evidence: { signals, signals_without_vector: missing, other_models: models },
  embedder,
  started_at,
}) =>
  models.length > 0 || missing === 0
    ? null
    : {
        finding: 'signals_without_vector',
        severity: 'degraded',
        cause:
          'The embedder refused some texts when they were embedded again: repeats of these are not recognized by meaning.',
        since: started_at.toISOString(),
        mended_by: 'operator',
        evidence: `${missing} of ${counted(signals, 'Signal')} ${plural(signals, 'has', 'have')} no vector of ${embedder.model}.`,
        next: { ...JOBS_CALL, reason: 'Says why the last text failed.' },
        remedy: 'Remove what the job’s message names, then start re_embed with service_support mode start_job.',
      }

const limitedEmbedder: Check = ({ embedder: { model, limitation }, started_at }) =>
  limitation === null
    ? null
    : {
        finding: 'limited_embedder',
        severity: 'note',
        cause: limitation,
        since: started_at.toISOString(),
        mended_by: 'operator',
        evidence: `The embedder is ${model}.`,
        next: { ...JOBS_CALL, reason: 'Shows re_embed once another model is configured.' },
        remedy: 'An operator configures an embedding model (EMBEDDINGS_URL).',
      }

/** The step's version names the judge's model behind this word. */
const JUDGED = ' with '

const judgeMissing: Check = ({ steps, work: { unjudged_proposals: unjudged }, started_at }) => {
  const version = steps?.steps.find(({ step_ordinal }) => step_ordinal === ordinalOf('cluster'))?.version ?? null
  if (version?.includes(JUDGED) || (version === null && unjudged === 0)) return null
  return {
    finding: 'judge_missing',
    severity: 'note',
    cause: 'No judge is configured: whether two claims are the same problem is for people alone to confirm.',
    since: started_at.toISOString(),
    mended_by: 'operator',
    evidence: `${counted(unjudged, 'pair')} ${plural(unjudged, 'has', 'have')} waited over an hour without being judged; the step cluster works as ${version ?? 'not known'}.`,
    next: {
      tool: 'service_lookup',
      mode: 'proposals',
      arguments: {},
      reason: 'Lists the pairs to confirm or refuse with service_decide mode triage.',
    },
    remedy: 'An operator configures a judge (JUDGE_URL); it is then asked about the pairs that wait.',
  }
}

const emptyMap: Check = ({ evidence: { map_nodes: nodes, signals, workspace_days: days }, now }) =>
  nodes > 0
    ? null
    : {
        finding: 'empty_map',
        severity: 'degraded',
        cause: 'The product map has no nodes, so no Signal is anchored to a part of the product.',
        since: daysBefore(now, days),
        mended_by: 'member',
        evidence: `0 nodes for ${counted(signals, 'Signal')}.`,
        next: {
          tool: 'service_lookup',
          mode: 'triage',
          arguments: { depth: 'summary' },
          reason: 'Shows what people write about: the nodes are its subjects.',
        },
        remedy: 'Add the parts of the product with service_map mode add_node, each with a description and examples.',
      }

/** This many signals without a near node are no coincidence. */
const MIN_SIGNALS = 20

const anchorsNeverReached: Check = ({ evidence: { map_nodes: nodes, newest }, now }) =>
  nodes === 0 || newest.signals < MIN_SIGNALS || newest.anchored > 0
    ? null
    : {
        finding: 'anchors_never_reached',
        severity: 'degraded',
        cause: `No Signal fits a node well enough: that takes a score of ${ATTACH_AT}, by its name, description and examples.`,
        since: daysBefore(now, newest.days ?? 0),
        mended_by: 'member',
        evidence: `0 of the newest ${counted(newest.signals, 'Signal')} ${plural(newest.signals, 'is', 'are')} anchored to one of ${counted(nodes, 'node')}; the best score is ${newest.best_score?.toFixed(2) ?? 'not known'}.`,
        next: {
          tool: 'service_map',
          mode: 'read',
          arguments: { depth: 'standard' },
          reason: 'Shows which nodes have few examples.',
        },
        remedy: 'Give nodes examples in the words of real Signals, with service_map mode update_node.',
      }

const mapNotFollowed: Check = ({
  work: { map_unfollowed: unfollowed },
  evidence: { map_nodes: nodes, signals, workspace_days: days },
  now,
}) =>
  !unfollowed
    ? null
    : {
        finding: 'map_not_followed',
        severity: 'degraded',
        cause:
          'The map has changed since the Signals were anchored by it, and no job follows: one was cancelled, or failed.',
        since: daysBefore(now, days),
        mended_by: 'member',
        evidence: `${counted(signals, 'Signal')}, ${counted(nodes, 'node')}, 0 running jobs of kind re_anchor.`,
        next: {
          tool: 'service_support',
          mode: 'start_job',
          arguments: { job_kind: 're_anchor' },
          reason: 'Anchors each Signal by the map as it is.',
        },
        remedy: 'Start re_anchor.',
      }

const classifierTaught: Check = ({ learning, started_at }) => {
  const { learns, weight, learned_from: lessons, tested, answered_right: right } = learning
  if (!learns || weight === 0) return null
  return {
    finding: 'classifier_taught',
    severity: 'note',
    cause:
      'What people made of Signals here, by reclassifying or accepting them, speaks when new ones are classified: a label may differ from what the built-in classifier says alone.',
    since: (learning.learned_at ?? started_at).toISOString(),
    mended_by: 'owner',
    evidence: `Learned from ${lessons} lessons; right in ${Math.round((100 * right) / Math.max(1, tested))} % of the last ${tested}, each by a fit that had not seen it; ${Math.round(100 * weight)} % of the weight.`,
    next: { ...JOBS_CALL, arguments: { job_kind: 'learn' }, reason: 'Shows when it last learned.' },
    remedy: 'Nothing to do. An owner can switch it off in the app under Settings → Workspace.',
  }
}

export const MODEL_CHECKS: readonly Check[] = [
  otherModels,
  withoutVectors,
  emptyMap,
  anchorsNeverReached,
  mapNotFollowed,
  judgeMissing,
  limitedEmbedder,
  classifierTaught,
]
