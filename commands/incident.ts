import type { ConfigOf } from '../infra/runtime/config.ts'
import { runProgram } from '../infra/runtime/program.ts'
import { choice, integer, optional } from '../infra/runtime/settings.ts'
import { readIncidentSwitch, turnIncidentSwitch } from '../model/installation/incident-switch.ts'
import { OPERATOR_CONFIG, openOperatorDatabase } from './operator-database.ts'

/** What `assay incident` alone can be set to. */
export const INCIDENT_SWITCH_CONFIG = {
  incident: optional(
    choice<'on' | 'off'>({
      env: 'INCIDENT',
      values: ['on', 'off'],
      doc: 'What to turn the limit of an incident to; the words `on` and `off` are the same. Without either it is shown.',
    }),
  ),
  incidentUnitsPerMinute: integer({
    env: 'INCIDENT_UNITS_PER_MINUTE',
    doc: 'How many work units a key gets a minute from each program while the limit is on. `--units-per-minute` is the same.',
    default: 60,
    // The dearest call is to be possible.
    min: 10,
    max: 1_000_000,
  }),
}

export const INCIDENT_CONFIG = { ...OPERATOR_CONFIG, ...INCIDENT_SWITCH_CONFIG }

/** Turns the limit of an incident on or off, or shows it; every program that answers agents heeds it within 5 s. */
export const runIncident = (config: ConfigOf<typeof INCIDENT_CONFIG>): Promise<void> =>
  runProgram({ name: 'incident', logLevel: 'silent' }, async program => {
    const database = await openOperatorDatabase(config, program)
    if (config.incident !== null) {
      await turnIncidentSwitch(database, config.incident === 'on' ? config.incidentUnitsPerMinute : null)
    }
    const units = await readIncidentSwitch(database)
    process.stdout.write(
      units === null
        ? 'The incident limit is off: agents call as much as they like.\n'
        : `The incident limit is on: ${units} work units a minute for each key. Beyond that agents are answered 429 and when to come again.\n`,
    )
    await program.lifecycle.stop()
  })
