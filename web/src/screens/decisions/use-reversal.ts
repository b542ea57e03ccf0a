import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callOnce } from '../../api/call-once.ts'
import { undoDecision } from '../../parts/evidence/triage.ts'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import type { Change } from './use-decision.ts'

/** What was decided in Triage is undone there; what it changed of Solutions and the strategy is reversed. Anything else is decided anew. */
const TRIAGED = ['triage', 'merged_into', 'merged_from', 'refused_merge_with', 'promoted_signal']

/** Taking a Decision back, as a Decision of its own; null where it changed nothing that can be. */
export const useReversal = (id: string, changes: readonly Change[]) => {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const isTriaged = changes.some(({ change }) => TRIAGED.some(field => field in change))
  const isReversible = changes.some(({ kind }) => kind === 'solution' || kind === 'strategy_element')
  const reverse = async () => {
    setBusy(true)
    try {
      const decision = isTriaged
        ? (await undoDecision(id)).decision
        : (await callOnce('reverse_decision', { decision_id: id })).data.decision
      notifyDone(`It is taken back, as ${decision.reference}.`)
    } catch (error) {
      notifyFailed(error)
    } finally {
      await queries.invalidateQueries()
      setBusy(false)
    }
  }
  return { busy, reverse: isTriaged || isReversible ? reverse : null }
}
