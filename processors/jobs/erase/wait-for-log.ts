import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { GroupPartition } from '../../../infra/log/port.ts'
import { LANES, segmentGroup } from '../../framework/topics.ts'
import { ACTIVITY_GROUP } from '../../sinks/activity/activity.ts'
import { DEAD_LETTERS_GROUP } from '../../sinks/dead-letters/dead-letters.ts'
import type { EraseDependencies, Erasing, PhaseResult } from './phase.ts'

const PAUSE_MS = 1000

/** By group, topic and partition: up to where it must be worked off. */
const PlacesShape = Type.Array(Type.Tuple([Type.String(), Type.Integer()]))
type Places = Static<typeof PlacesShape>
const placesCheck = Compile(PlacesShape)

const nameOf = ({ group, topic, partition }: GroupPartition): string => `${group} ${topic} ${partition}`

/** Where the pipeline and its sinks are on the log. */
export const readGroups = async ({ log, pipeline }: EraseDependencies): Promise<readonly GroupPartition[]> => {
  const segments = pipeline.segments.flatMap(({ head }) => LANES.map(lane => segmentGroup(head, lane)))
  const groups = [...segments, DEAD_LETTERS_GROUP, ACTIVITY_GROUP]
  return (await Promise.all(groups.map(group => log.lag(group)))).flat()
}

/**
 * Waits until the pipeline has worked off, step by step, what was on the log: with each look what the step before has
 * sent on is waited for, too, until nothing is behind. Records that were accepted before end as erased there, and what
 * they tell is with ClickHouse.
 */
export const waitForLog = async (
  { dependencies }: Pick<Erasing, 'dependencies'>,
  after: string | null,
): Promise<PhaseResult> => {
  const places = await readGroups(dependencies)
  const [rounds, wanted] = readRound(after)
  const targets = wanted ?? places.map(place => [nameOf(place), place.highWatermark] as [string, number])
  const committed = new Map(places.map(place => [nameOf(place), place.committed]))
  const isBehind = targets.some(([name, target]) => (committed.get(name) ?? target) < target)
  if (isBehind) return { after: JSON.stringify([rounds, targets]), done: 0, pauseMs: PAUSE_MS }
  // A record passes through so many groups at most, each of which may have sent it on a moment ago.
  if (rounds < dependencies.pipeline.segments.length + 2) return { after: JSON.stringify([rounds + 1, null]), done: 0 }
  return { after: null, done: 0 }
}

const readRound = (after: string | null): readonly [rounds: number, targets: Places | null] => {
  const stored: unknown = after === null ? null : JSON.parse(after)
  if (!Array.isArray(stored)) return [0, null]
  const [rounds, targets]: unknown[] = stored
  return [typeof rounds === 'number' ? rounds : 0, placesCheck.Check(targets) ? targets : null]
}
