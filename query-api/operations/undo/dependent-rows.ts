import { refuseBareClaims } from '../../../model/claims/change-evidence.ts'
import { lockClaimGrowth } from '../../../model/claims/claims.ts'
import { dismissSilentClaims, reviveClaims } from '../../../model/claims/follow-evidence.ts'
import { refuseMisplacedEvidence, refuseStrandedSignals } from '../../../model/claims/hung-claims.ts'
import { CLAIM_KIND } from '../../../model/claims/start-claims.ts'
import type { LoggedDecision } from '../../../model/decisions/log-decision.ts'
import { refuseRepeatsOfRepeats } from '../../../model/duplicates/repeats-of-repeats.ts'
import { noteLessons } from '../../../model/learning/lessons.ts'
import { readVersion, storeVersion } from '../../../model/living-documents/versions.ts'
import { changeMap } from '../../../model/map/nodes.ts'
import { restorePlaces } from '../../../model/map/restore-places.ts'
import { QUOTAS, type QuotaName } from '../../../model/quotas/quotas.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { TriageChange } from '../../../model/triage/triage.ts'
import { isKept, type KeptTable, type NetRow } from '../../../model/undo/changed-rows.ts'
import type { ChangeRow } from '../../../model/undo/changes.ts'
import type { ClaimId, SignalId } from '../../../schemas/domain/ids.ts'
import type { Transaction, WriteContext } from '../define.ts'
import { refuseGrown } from '../triage/undo-signal.ts'

type Lock = Parameters<typeof lockWorkspaces>[2]

/** Locks for changes of these tables, in the order in which all code takes them. */
const LOCKS: readonly (readonly [what: Lock, tables: readonly KeptTable[]])[] = [
  ['decisions', ['decisions', 'decision_objects']],
  ['signals', ['signals', 'occurrences', 'taken_out_repeats']],
  [
    'claims',
    [
      // The counts of claims depend on their signals' states.
      'signals',
      'claims',
      'claim_evidence',
      'solution_claims',
      'merges',
      'merge_proposals',
      'occurrences',
      'taken_out_repeats',
      'themes',
      'theme_settings',
      'theme_answers',
    ],
  ],
  ['strategy', ['strategy_elements']],
  ['roadmap', ['roadmap_items']],
]

/** Tables with a quota whose rows an undo may restore. */
const QUOTAS_OF = Object.entries(QUOTAS).flatMap(([name, quota]) =>
  // The names are those of the quotas.
  'table' in quota && isKept(quota.table) ? [{ table: quota.table, quota: name as QuotaName }] : [],
)

/** True when an undo restores the row, or opens a closed object again. */
const comesBack = ({ before, after }: NetRow): boolean =>
  after === null || (before?.deleted_at === null && after.deleted_at !== null)

/** Takes the locks for a change of these rows, and the quota for restored ones. */
export const lockFor = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  net: readonly NetRow[],
): Promise<void> => {
  const tables = new Set(net.map(({ table }) => table))
  for (const [what, of] of LOCKS) {
    if (of.some(table => tables.has(table))) await lockWorkspaces(transaction, [caller.workspaceId], what)
  }
  // An undone change of the map anchors signals again.
  if (tables.has('map_nodes')) await changeMap(transaction, caller.workspaceId, caller.userName)
  for (const { table, quota } of QUOTAS_OF) {
    const back = net.filter(row => row.table === table && comesBack(row)).length
    if (back > 0) await requireQuota(transaction, services.quotas, quota, caller.workspaceId, back)
  }
}

/** Effects of undoing a change beside the rows themselves. */
export const writeDependentRows = async (
  transaction: Transaction,
  context: WriteContext,
  { made_at }: ChangeRow,
  net: readonly NetRow[],
  decision: LoggedDecision | null,
): Promise<void> => {
  const nodes = net.flatMap(({ table, key }) => (table === 'map_nodes' ? [String(key.id)] : []))
  await restorePlaces(transaction, context.caller.workspaceId, { nodes, since: made_at })
  const signals = net.filter(({ table }) => table === 'signals').map(({ key }) => String(key.id) as SignalId)
  if (signals.length > 0) await noteLessons(transaction, signals)
  for (const { table, key, before } of net) {
    if (table === 'claims' && before === null) await refuseGrownClaim(transaction, String(key.id) as ClaimId)
  }
  const hung = new Set(net.flatMap(hungClaims))
  await refuseBareClaims(transaction, hung)
  await dismissSilentClaims(transaction, hung)
  await reviveClaims(transaction, signals)
  await refuseMisplacedEvidence(transaction, hung)
  await refuseStrandedSignals(transaction, net.flatMap(claimlessBefore))
  await refuseRepeatsOfRepeats(transaction, net.flatMap(repeatAgain))
  if (decision !== null) await writeDocuments(transaction, context, net, decision)
}

/** The row's claims, and both claims of a merge, between which evidence may have moved. */
const hungClaims = ({ table, key, before, after }: NetRow): readonly string[] => {
  if (table === 'claim_evidence' || table === 'solution_claims') return [String(key.claim_id)]
  if (table !== 'claims') return []
  return [key.id, before?.merged_into, after?.merged_into].flatMap(id => (typeof id === 'string' ? [id] : []))
}

/** The signal that the change made evidence, if its classification starts no claim on its own. */
const claimlessBefore = ({ table, after }: NetRow): readonly string[] => {
  if (table !== 'decision_objects' || after?.object_kind !== 'signal') return []
  // Only this service writes rows of `decision_objects`.
  const { to, claim } = after.change as Partial<TriageChange>
  return to !== undefined && claim !== undefined && CLAIM_KIND[to.classification] === null
    ? [String(after.object_id)]
    : []
}

/** The repeat that counts with an original again. */
const repeatAgain = ({ table, key, before }: NetRow): readonly string[] =>
  table === 'occurrences' && before !== null ? [String(key.id)] : []

/** Refuses to undo the start of a claim that other rows depend on. Its own evidence is gone already. */
const refuseGrownClaim = async (transaction: Transaction, id: ClaimId): Promise<void> => {
  const growth = await lockClaimGrowth(transaction, id)
  if (growth !== undefined) refuseGrown('the change', growth, 0)
}

/** Writes each document's earlier text as its next version. */
const writeDocuments = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  net: readonly NetRow[],
  decision: LoggedDecision,
): Promise<void> => {
  for (const { table, before, after } of net) {
    if (table !== 'living_documents' || before !== null || after === null) continue
    const solutionId = String(after.solution_id)
    const newest = await readVersion(transaction, solutionId)
    if (newest === undefined) continue
    await requireQuota(transaction, services.quotas, 'documentVersions', caller.workspaceId)
    await storeVersion(transaction, caller, {
      solutionId,
      version: newest.version + 1,
      markdown: (await readVersion(transaction, solutionId, Number(after.version) - 1))?.markdown ?? '',
      edit: 'replace',
      section: [],
      decisionId: decision.id,
      at: services.now(),
    })
  }
}
