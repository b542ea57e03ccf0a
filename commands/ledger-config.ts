import type { ConfigOf } from '../infra/runtime/config.ts'
import { EMBEDDED_CONFIG } from '../infra/runtime/program-config.ts'
import { choice } from '../infra/runtime/settings.ts'
import { STORES_CONFIG } from '../infra/stores.ts'

/** What `assay ledger` alone can be set to. */
export const LEDGER_FORMAT_CONFIG = {
  ledgerFormat: choice<'table' | 'json'>({
    env: 'LEDGER_FORMAT',
    values: ['table', 'json'],
    default: 'table',
    doc: 'How it prints. `--json` is the same as `json`.',
  }),
}

export const LEDGER_CONFIG = {
  ...EMBEDDED_CONFIG,
  ...STORES_CONFIG,
  ...LEDGER_FORMAT_CONFIG,
}

export type LedgerConfig = ConfigOf<typeof LEDGER_CONFIG>
