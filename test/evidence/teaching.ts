import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Pipeline } from './pipeline.ts'
import type { Labelled } from './sets.ts'

export interface Correction {
  readonly id: SignalId | undefined
  readonly label: Labelled['label']
}

/** Has people of the workspace say what these signals are, and the workspace learn from it. False: the product cannot be taught. */
export const teach = async (
  _pipeline: Pipeline,
  _workspaceId: WorkspaceId,
  _corrections: readonly Correction[],
): Promise<boolean> => false
