import { randomUUID } from 'node:crypto'
import { AssayError } from '../../infra/runtime/errors.ts'
import { runProgram } from '../../infra/runtime/program.ts'
import { createSealer, keyCheckValue, sameSecret } from '../../infra/runtime/secrets.ts'
import { copyAnalytics, makeViews, readViews, refuseActivity, removeViews } from '../../model/moves/copy-analytics.ts'
import {
  beginFilling,
  copyRows,
  finishFilling,
  type Report,
  withSourceLocked,
} from '../../model/moves/copy-database.ts'
import { copyLog, isEmptyLog, renameSchemas } from '../../model/moves/copy-log.ts'
import { noteProgress, readKeyCheck, readMove } from '../../model/moves/progress.ts'
import { readTables } from '../../model/moves/tables.ts'
import { openEmbeddedPlace } from './embedded-place.ts'
import { openEnginesPlace } from './engines-place.ts'
import type { Place } from './place.ts'
import { directionOf, type MoveConfig, readEngines } from './settings.ts'

/** The source's key, which the target gets too. Rejects with `invalid_configuration` when both have different keys. */
const commonKey = async (from: Place, to: Place) => {
  const key = from.key ?? to.key
  if (key === null)
    throw new AssayError(
      'invalid_configuration',
      'The settings of the engines lack INSTALLATION_KEY, which moves along. Add a line with the key that their programs have.',
    )
  if (to.key !== null && !sameSecret(key, to.key))
    throw new AssayError(
      'invalid_configuration',
      'INSTALLATION_KEY in the settings of the engines is not the key of this installation, which moves along. Write there what stands in installation.key of the data directory, or the INSTALLATION_KEY that Assay was started with.',
    )
  const noted = await readKeyCheck(from.database.query)
  if (noted !== null && !sameSecret(noted, keyCheckValue(key)))
    throw new AssayError('invalid_configuration', 'The key is not the one that the data was sealed with.')
  return key
}

/**
 * Copies and compares the stores, then hands over: the installation is the target's when the source's state is `left`.
 */
const move = async (from: Place, to: Place, report: Report): Promise<void> => {
  const key = await commonKey(from, to)
  const known = await from.leaving()
  const id = known?.id ?? randomUUID()
  const noted = await readMove(to.database.query)
  if (noted?.id === id && noted.state === 'arrived') {
    await to.noteArrived()
    return report(`The installation was moved to ${to.name} before.`)
  }
  if (known === null) {
    await from.settle()
    await from.noteLeaving({ id, state: 'leaving' }, to.name)
  }
  const fromLog = await from.openLog()
  const toLog = await to.openLog()
  if (noted?.id !== id) {
    await refuseActivity(to.analytics)
    if (!(await isEmptyLog(toLog)))
      throw new AssayError('conflict', 'The log to move into is not empty: its topics have had records. Delete them.')
  }
  const begun = await beginFilling(to.database, await readTables(to.database.query), id)
  await to.noteFilling(id, from.name)
  await to.keepKey(key)
  const views = await readViews(to.analytics, begun.progress.views)
  await noteProgress(to.database.query, ['views'], views)
  await removeViews(to.analytics)

  await withSourceLocked(from.database, async (query, tables) => {
    await copyRows({ from: query, to: to.database, tables, begun, report })
  })
  await copyAnalytics({
    from: from.analytics,
    to: to.analytics,
    done: begun.progress.analytics,
    onDone: done => noteProgress(to.database.query, ['analytics'], done),
    report,
  })
  const schemaIds = await copyLog(fromLog, toLog, report)

  await from.noteLeaving({ id, state: 'left' }, to.name)
  await makeViews(to.analytics, views)
  await finishFilling(to.database, query => renameSchemas(query, schemaIds, createSealer(key)))
  await to.noteArrived()
  report(`The installation is in ${to.name} now. What is left in ${from.name} is not started again.`)
}

/** Moves an installation between embedded stores and engines. A repeated command continues an interrupted move. */
export const runMove = (config: MoveConfig): Promise<void> =>
  runProgram({ name: 'move', logLevel: config.logLevel }, async program => {
    const { away, file } = directionOf(config)
    const settings = readEngines(file)
    const begunAt = Date.now()
    const report: Report = sentence =>
      void process.stdout.write(`${((Date.now() - begunAt) / 1000).toFixed(1)} s  ${sentence}\n`)
    const embedded = await openEmbeddedPlace(config, program, away)
    const engines = await openEnginesPlace(config, settings, program)
    await (away ? move(embedded, engines, report) : move(engines, embedded, report))
    if (away && settings.installationKey === null)
      process.stdout.write(
        `Give the programs INSTALLATION_KEY: what stands in installation.key of ${config.dataDirectory}, unless you had set it.\n`,
      )
    await program.lifecycle.stop()
  })
