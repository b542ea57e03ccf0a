import { createHash } from 'node:crypto'
import { isUuid, type WorkspaceId } from '../../../schemas/domain/ids.ts'

const MASK_BYTES = 6
const HALF = 0x1000000

/** What the ids of an export are changed by when it is imported into a workspace: 48 bits, never 0. */
export const maskOf = (workspaceId: WorkspaceId): number =>
  createHash('sha256').update(workspaceId).digest().readUIntBE(0, MASK_BYTES) || 1

/** An id with its last 48 bits changed by a mask. What comes before, the time among it, stays: ids keep their order. Twice, it is itself again. */
export const masked = (id: string, mask: number): string => {
  const at = id.length - MASK_BYTES * 2
  const node = Number.parseInt(id.slice(at), 16)
  // Bits are combined 32 at a time.
  const high = (Math.floor(node / HALF) ^ Math.floor(mask / HALF)) >>> 0
  const low = ((node % HALF) ^ (mask % HALF)) >>> 0
  return id.slice(0, at) + (high * HALF + low).toString(16).padStart(MASK_BYTES * 2, '0')
}

/** A value of a row with every id in it masked, wherever it is; whatever else it is, it stays. */
export const maskedDeep = (value: unknown, mask: number): unknown => {
  if (typeof value === 'string') return isUuid(value) ? masked(value, mask) : value
  if (Array.isArray(value)) return value.map(each => maskedDeep(each, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [String(maskedDeep(name, mask)), maskedDeep(each, mask)]),
  )
}
