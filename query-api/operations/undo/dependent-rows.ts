import { refuseBareClaims } from '../../../model/claims/change-evidence.ts'
import { lockClaimGrowth } from '../../../model/claims/claims.ts'
import { refuseMisplacedEvidence, refuseStrandedSignals } from '../../../model/claims/hung-claims.ts'
import { CLAIM_KIND } from '../../../model/claims/start-claims.ts'
import type { LoggedDecision } from '../../../model/decisions/log-decision.ts'
import { refuseRepeatsOfRepeats } from '../../../model/duplicates/repeats-of-repeats.ts'
import { noteLessons } from '../../../model/learning/lessons.ts'
import { readVersion, storeVersion } from '../../../model/living-documents/versions.ts'
import { changeMap } from '../../../model/map/nodes.ts'
import { QUOTAS, type QuotaName } from '../../../model/quotas/quotas.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { TriageChange } from '../../../model/triage/triage.ts'
import { isKept, type KeptTable, type NetRow } from '../../../model/undo/changed-rows.ts'
import type { ClaimId, SignalId } from '../../../schemas/domain/ids.ts'
import type { Transaction, WriteContext } from '../define.ts'
import { refuseGrown } from '../triage/undo-signal.ts'

type Lock = Parameters<typeof lockWorkspaces>[2]

/** What whoever changes these tables holds, in the order in which others take it. */
const LOCKS: readonly (readonly [what: Lock, tables: readonly KeptTable[]])[] = [
  ['decisions', ['decisions', 'decision_objects']],
  ['signals', ['signals', 'occurrences', 'taken_out_repeats']],
  [
    'claims',
    [
      // What a signal counts for is counted with its claims.
      'signals',
      'claims',
      'claim_evidence',
      'solution_claims',
      'merges',
      'merge_proposals',
      'occurrences',
      'taken_out_repeats',
      'theme_settings',
      'theme_answers',
    ],
  ],
  ['strategy', ['strategy_elements']],
  ['roadmap', ['roadmap_items']],
]

/** What counts towards a quota, and may come back. */
const QUOTAS_OF = Object.entries(QUOTAS).flatMap(([name, quota]) =>
  // The names are those of the quotas.
  'table' in quota && isKept(quota.table) ? [{ table: quota.table, quota: name as QuotaName }] : [],
)

/** Whether it is there again once the change is taken back: its row is, or what was closed is open. */
const comesBack = ({ before, after }: NetRow): boolean =>
  after === null || (before?.deleted_at === null && after.deleted_at !== null)

/** Holds what a change of these rows holds, and places for what comes back. */
export const lockFor = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  net: readonly NetRow[],
): Promise<void> => {
  const tables = new Set(net.map(({ table }) => table))
  for (const [what, of] of LOCKS) {
    if (of.some(table => tables.has(table))) await lockWorkspaces(transaction, [caller.workspaceId], what)
  }
  // The signals are anchored anew, since what they are anchored by changes.
  if (tables.has('map_nodes')) await changeMap(transaction, caller.workspaceId, caller.userName)
  for (const { table, quota } of QUOTAS_OF) {
    const back = net.filter(row => row.table === table && comesBack(row)).length
    if (back > 0) await requireQuota(transaction, services.quotas, quota, caller.workspaceId, back)
  }
}

/** What taking back means beside the rows themselves. */
export const writeDependentRows = async (
  transaction: Transaction,
  context: WriteContext,
  net: readonly NetRow[],
  decision: LoggedDecision | null,
): Promise<void> => {
  const signals = net.filter(({ table }) => table === 'signals').map(({ key }) => String(key.id) as SignalId)
  if (signals.length > 0) await noteLessons(transaction, signals)
  for (const { table, key, before } of net) {
    if (table === 'claims' && before === null) await refuseGrownClaim(transaction, String(key.id) as ClaimId)
  }
  const hung = new Set(net.flatMap(hungClaims))
  await refuseBareClaims(transaction, hung)
  await refuseMisplacedEvidence(transaction, hung)
  await refuseStrandedSignals(transaction, net.flatMap(claimlessBefore))
  await refuseRepeatsOfRepeats(transaction, net.flatMap(repeatAgain))
  if (decision !== null) await writeDocuments(transaction, context, net, decision)
}

/** The claims that a row hangs on, or that what hangs on its claim may have moved between. */
const hungClaims = ({ table, key, before, after }: NetRow): readonly string[] => {
  if (table === 'claim_evidence' || table === 'solution_claims') return [String(key.claim_id)]
  if (table !== 'claims') return []
  return [key.id, before?.merged_into, after?.merged_into].flatMap(id => (typeof id === 'string' ? [id] : []))
}

/** The Signal that the change made evidence, where it was none that starts a claim of its own. */
const claimlessBefore = ({ table, after }: NetRow): readonly string[] => {
  if (table !== 'decision_objects' || after?.object_kind !== 'signal') return []
  // A row of `decision_objects`, which this service alone writes.
  const { to, claim } = after.change as Partial<TriageChange>
  return to !== undefined && claim !== undefined && CLAIM_KIND[to.classification] === null
    ? [String(after.object_id)]
    : []
}

/** The repeat that counts with an original again. */
const repeatAgain = ({ table, key, before }: NetRow): readonly string[] =>
  table === 'occurrences' && before !== null ? [String(key.id)] : []

/** A claim that the change started is dismissed, unless more hangs on it by now. Its own evidence is gone already. */
const refuseGrownClaim = async (transaction: Transaction, id: ClaimId): Promise<void> => {
  const growth = await lockClaimGrowth(transaction, id)
  if (growth !== undefined) refuseGrown('the change', growth, 0)
}

/** Each document says again, as its next version, what it said before. */
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
