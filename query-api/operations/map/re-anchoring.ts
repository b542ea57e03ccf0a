import { type Static, Type } from 'typebox'
import { ATTACH_AT } from '../../../model/map/anchor.ts'
import type { JobId } from '../../../schemas/domain/ids.ts'
import { nullable, uuid } from '../parts/fields.ts'

/** What a change of the map means for the Signals that are here already. */
export const ReAnchoring = Type.Object({
  job_id: nullable(uuid),
  says: Type.String(),
})
type ReAnchoring = Static<typeof ReAnchoring>

export const reAnchoring = (jobId: JobId | null): ReAnchoring => ({
  job_id: jobId,
  says: `In the background each Signal is anchored again, to the nearest node if that is at a cosine of ${ATTACH_AT} or more, else to none; until then it stays where it was. service_support mode jobs shows how far the job is. Signals received from now on meet the new map.`,
})

/** For changes that leave every vector as it was. */
export const NOTHING_RE_ANCHORED: ReAnchoring = {
  job_id: null,
  says: 'No text changed, so no vector did: Signals stay anchored as they are.',
}
