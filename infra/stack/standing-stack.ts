import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { randomSecret } from '../runtime/secrets.ts'
import type { StackConfig } from './config.ts'
import { ENGINE_NAMES, type EngineOptions } from './engine.ts'
import { createEngines, variablesOf } from './engines.ts'
import { startEngines, stopEngines } from './start-engines.ts'

export interface StandingStack {
  /** Whether every engine ran before. */
  readonly wasUp: boolean
  readonly variables: Readonly<Record<string, string>>
}

/**
 * What a stack was started with, password included: it is started again with that, whatever the environment says by
 * then.
 */
const OPTIONS_FILE = 'options.json'

const createOptions = async (config: StackConfig): Promise<EngineOptions> => {
  const directory = resolve(config.directory)
  const password = config.password ?? randomSecret()
  const options: EngineOptions = { cache: resolve(config.cache), directory, config, password }
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeFile(join(directory, OPTIONS_FILE), JSON.stringify(options), { mode: 0o600 })
  return options
}

/** All engines as one stack that stays until it is taken down. What runs already is left as it is. */
export const startStandingStack = async (config: StackConfig): Promise<StandingStack> => {
  const file = join(resolve(config.directory), OPTIONS_FILE)
  const isNew = !existsSync(file)
  // Written by `createOptions`.
  const options: EngineOptions = isNew ? await createOptions(config) : JSON.parse(readFileSync(file, 'utf8'))
  const engines = createEngines(ENGINE_NAMES, options)
  const wasUp = engines.every(engine => engine.daemon.isRunning())
  try {
    await startEngines(engines)
  } catch (error) {
    // Nothing is kept of a stack that never stood, so that other settings can be tried.
    if (isNew) await stopEngines(options.directory)
    throw error
  }
  return { wasUp, variables: variablesOf(engines) }
}
