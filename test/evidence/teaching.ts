import { setTimeout as sleep } from 'node:timers/promises'
import { lockSignals, setSignals } from '../../model/triage/triage.ts'
import { createLearnJob } from '../../processors/jobs/learn/learn.ts'
import { runJob } from '../../processors/jobs/testing.ts'
import { createBuiltInClassifier } from '../../processors/steps/classify/built-in/classifier.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Pipeline } from './pipeline.ts'
import type { Labelled } from './sets.ts'

export interface Correction {
  readonly id: SignalId | undefined
  readonly label: Labelled['label']
}

/** Longer than the classify step keeps what it knows of a workspace. */
const FRESH_MS = 3500

/**
 * Has people of the workspace say what these signals are, and the workspace learn from it, as it does in the
 * background.
 */
export const teach = async (
  { database }: Pipeline,
  workspaceId: WorkspaceId,
  corrections: readonly Correction[],
): Promise<void> => {
  for (const [label, some] of Map.groupBy(corrections, correction => correction.label)) {
    await database.transaction({ role: 'assay_app', workspaceId }, async transaction => {
      const ids = some.flatMap(({ id }) => (id === undefined ? [] : [id]))
      const signals = [...(await lockSignals(transaction, ids)).values()]
      const fields = { classification: label, classification_confidence: 1, classification_version: 'member' }
      await setSignals(transaction, signals, fields)
    })
  }
  await runJob(createLearnJob({ database, classifier: createBuiltInClassifier() }), workspaceId)
  await sleep(FRESH_MS)
}
