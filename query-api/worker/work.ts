import { mergeTexts } from '../../model/living-documents/differences.ts'
import { spreadsheetAsCsv } from '../../model/transfers/records/spreadsheet.ts'
import { previewSignals } from '../../model/transfers/signals/preview.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import { readJson } from '../http/read-json.ts'
import { checkExportPart } from './export-checks.ts'

/**
 * Work that may take longer than the main thread may be kept from everybody: each is a function of its input, which is
 * copied to the thread, and its answer back.
 */
export const WORK = {
  json: readJson,
  merge: ({ base, ours, theirs }: { readonly base: string; readonly ours: string; readonly theirs: string }) =>
    mergeTexts(base, ours, theirs),
  preview: previewSignals,
  spreadsheet: spreadsheetAsCsv,
  export: checkExportPart,
} as const

type Work = typeof WORK

/** To the thread: what to do. */
export type Question = {
  readonly [Kind in keyof Work]: { readonly kind: Kind; readonly input: Parameters<Work[Kind]>[0] }
}[keyof Work]

/** Does what is large on a thread of its own. */
export interface Worker {
  /**
   * Each tenant has one piece of work on the thread, its others wait behind that: another tenant's waits for no more
   * than one of each. Rejects with what the work refuses, `too_costly` beyond its deadline, `busy` where the machine
   * left the thread too little to tell, and `rate_limited` when too much of the tenant waits.
   */
  run<Kind extends keyof Work>(
    tenant: TenantId,
    kind: Kind,
    input: Parameters<Work[Kind]>[0],
  ): Promise<Awaited<ReturnType<Work[Kind]>>>
  stop(): Promise<void>
}
