import { createPool } from '../../infra/postgres/pool.ts'
import { createLogger } from '../../infra/runtime/logger.ts'

/** To fill a database and to look into it, beside the programs that are measured. */
export type BenchPool = ReturnType<typeof createPool>

/** Of one connection unless told, so that a setting of the session holds for all that follows. */
export const createBenchPool = (connection: string, statementTimeoutMs: number, max = 1): BenchPool =>
  createPool({ connection, max, statementTimeoutMs, logger: createLogger({ level: 'silent', program: 'bench' }) })
