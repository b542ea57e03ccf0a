import type { ConfigOf } from '../infra/runtime/config.ts'
import { runProgram } from '../infra/runtime/program.ts'
import { choice, integer, optional } from '../infra/runtime/settings.ts'
import { readIncidentSwitch, turnIncidentSwitch } from '../model/installation/incident-switch.ts'
import { type OPERATOR_CONFIG, openOperatorDatabase } from './operator-database.ts'

export const INCIDENT_ARGUMENTS = {
  incident: optional(
    choice<'on' | 'off'>({
      env: '[on|off]',
      formerly: /^INCIDENT$/,
      values: ['on', 'off'],
      doc: 'What to turn the limit of an incident to. Without a word it is shown.',
    }),
  ),
  incidentUnitsPerMinute: integer({
    env: '--units-per-minute <number>',
    formerly: /^INCIDENT_UNITS_PER_MINUTE$/,
    doc: 'How many work units a key gets a minute from each program while the limit is on.',
    default: 60,
    // The dearest call must stay possible.
    min: 10,
    max: 1_000_000,
  }),
}

/** Turns the incident limit on or off, or shows it. Programs that answer agents follow within 5 s. */
export const runIncident = (config: ConfigOf<typeof OPERATOR_CONFIG & typeof INCIDENT_ARGUMENTS>): Promise<void> =>
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
