import type { Log } from '../../infra/log/port.ts'

/** How far the consumer groups of the pipeline are. */
export interface LogState {
  /** Records that no group has worked off; one that two groups read counts twice. */
  readonly waiting: number
  /** Everything that was ever written where they read. */
  readonly written: number
}

export const readLogState = async (log: Pick<Log, 'lag'>, groups: readonly string[]): Promise<LogState> => {
  const places = (await Promise.all(groups.map(group => log.lag(group)))).flat()
  return {
    waiting: places.reduce((sum, { committed, highWatermark }) => sum + highWatermark - committed, 0),
    written: places.reduce((sum, { highWatermark }) => sum + highWatermark, 0),
  }
}

/** Whether nothing waited and nothing came in between two looks: what was read from the stores meanwhile will not change by itself. */
export const wasIdle = (before: LogState, after: LogState): boolean =>
  before.waiting === 0 && after.waiting === 0 && before.written === after.written
