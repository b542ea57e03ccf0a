import { createClickHouse } from './clickhouse.ts'
import type { Engine, EngineName, EngineOptions } from './engine.ts'
import { createKafka } from './kafka.ts'
import { createPostgres } from './postgres.ts'
import { createRegistry } from './registry.ts'
import { createValkey } from './valkey.ts'

const ENGINES: Readonly<Record<EngineName, (options: EngineOptions) => Engine>> = {
  kafka: createKafka,
  registry: createRegistry,
  postgres: createPostgres,
  clickhouse: createClickHouse,
  valkey: createValkey,
}

export const createEngines = (names: readonly EngineName[], options: EngineOptions): readonly Engine[] =>
  names.map(name => ENGINES[name](options))

/** What the programs need to be told to use these engines. */
export const variablesOf = (engines: readonly Engine[]): Readonly<Record<string, string>> =>
  Object.fromEntries(engines.flatMap(engine => Object.entries(engine.variables)))
