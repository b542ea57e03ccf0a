import type { ConfigOf } from '../infra/runtime/config.ts'
import { EMBEDDED_CONFIG } from '../infra/runtime/program-config.ts'
import { flag } from '../infra/runtime/settings.ts'
import { STORES_CONFIG } from '../infra/stores.ts'

export const LEDGER_ARGUMENTS = {
  printsJson: flag({
    env: '--json',
    formerly: /^LEDGER_FORMAT$/,
    doc: 'Print JSON in place of a table.',
    default: false,
  }),
}

export const LEDGER_CONFIG = {
  ...EMBEDDED_CONFIG,
  ...STORES_CONFIG,
}

export type LedgerConfig = ConfigOf<typeof LEDGER_CONFIG & typeof LEDGER_ARGUMENTS>
