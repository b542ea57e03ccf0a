import { mergeTexts } from '../../model/living-documents/differences.ts'
import { spreadsheetAsCsv } from '../../model/transfers/records/spreadsheet.ts'
import { previewSignals } from '../../model/transfers/signals/preview.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import { readJson } from '../http/read-json.ts'
import { checkExportPart } from './export-checks.ts'

/**
 * Work that could block the main thread too long. Each kind is a function of its input, which is copied to the thread;
 * the answer is copied back.
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

/** Message to the thread. */
export type Question = {
  readonly [Kind in keyof Work]: { readonly kind: Kind; readonly input: Parameters<Work[Kind]>[0] }
}[keyof Work]

/** Runs large work on worker threads. */
export interface Worker {
  /**
   * Each tenant has one piece of work on the thread, and its others wait behind it: a tenant waits for at most one
   * piece of each other tenant. Rejects with the work's refusal, `too_costly` beyond its deadline, `busy` when the
   * machine gave the thread too little CPU to judge, and `rate_limited` when too much work of the tenant waits.
   */
  run<Kind extends keyof Work>(
    tenant: TenantId,
    kind: Kind,
    input: Parameters<Work[Kind]>[0],
  ): Promise<Awaited<ReturnType<Work[Kind]>>>
  stop(): Promise<void>
}
