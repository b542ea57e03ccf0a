import type { Database } from '../../infra/postgres/port.ts'
import { recordAudit } from '../audit/audit-log.ts'

const READ = 'select units_per_minute from incident_limit'
const TURN_ON = `
  insert into incident_limit (units_per_minute) values ($1)
  on conflict (only_row) do update set units_per_minute = excluded.units_per_minute`
const TURN_OFF = 'delete from incident_limit'

/** Work units a minute for each key; null while the switch is off. */
export const readIncidentSwitch = (database: Database): Promise<number | null> =>
  database.transaction({ role: 'assay_accounts' }, async transaction => {
    const [row] = await transaction.query<{ units_per_minute: number }>(READ)
    return row?.units_per_minute ?? null
  })

/** Sets the switch to work units a minute; null turns it off. */
export const turnIncidentSwitch = (database: Database, unitsPerMinute: number | null): Promise<void> =>
  database.transaction({ role: 'assay_accounts' }, async transaction => {
    await (unitsPerMinute === null ? transaction.query(TURN_OFF) : transaction.query(TURN_ON, [unitsPerMinute]))
    await recordAudit(transaction, {
      action: 'incident_limit_set',
      by: { kind: 'operator' },
      detail: { units_per_minute: unitsPerMinute },
    })
  })
