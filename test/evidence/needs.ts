import { NOTHING } from '../../model/signals/says-nothing.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Pipeline } from './pipeline.ts'
import { readStored } from './stored.ts'

export interface NeedFigures {
  /** Messages with a need that are signals of their own. */
  readonly needs: number
  /** Of these, how many are evidence of no claim. */
  readonly unclaimed: number
  /** Of these, how many are questions, which start one where a person or the judge says so. */
  readonly asked: number
  /** Of these, how many start none when somebody accepts them, as they are taken for noise. */
  readonly lost: number
  readonly noise: number
  /** Of the noise, how many are evidence of a claim. */
  readonly claimed: number
}

/** Which messages have a claim once all is through, by what their authors meant; `ids` are theirs, in order. */
export const measureNeeds = async (
  pipeline: Pipeline,
  workspaceId: WorkspaceId,
  lines: readonly { readonly themes: readonly string[] }[],
  ids: readonly SignalId[],
): Promise<NeedFigures> => {
  const { signals, behind } = await readStored(pipeline, workspaceId)
  const claimed = new Set([...behind.values()].flatMap(each => [...each]))
  const isNeed = new Map(ids.map((id, place) => [id, (lines[place]?.themes.length ?? 0) > 0]))
  const needs = signals.filter(({ id }) => isNeed.get(id) === true)
  const noise = signals.filter(({ id }) => isNeed.get(id) === false)
  const unclaimed = needs.filter(({ id }) => !claimed.has(id))
  return {
    needs: needs.length,
    unclaimed: unclaimed.length,
    asked: unclaimed.filter(({ label }) => label === 'question').length,
    lost: unclaimed.filter(({ label, confidence }) => label === 'unclassified' && confidence > NOTHING).length,
    noise: noise.length,
    claimed: noise.filter(({ id }) => claimed.has(id)).length,
  }
}
