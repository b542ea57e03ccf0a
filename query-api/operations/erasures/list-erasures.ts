import { countErasures, listErasures as readErasures } from '../../../model/erasures/erasures.ts'
import { readOperation, Type } from '../define.ts'
import { cursor, DEFAULT_LIMIT, limit } from '../parts/fields.ts'
import { decodeCursor, nextCursor } from '../parts/lists.ts'
import { ErasureShape, erasureShape } from './erasure.ts'

export const listErasures = readOperation({
  name: 'list_erasures',
  title: 'What was erased',
  summary: 'Lists what was erased here, the newest first: when, by whom, how much, and what a search found afterwards.',
  units: 1,
  role: 'owner',
  audience: 'people',
  input: Type.Object({ limit, cursor }),
  output: Type.Object({ count: Type.Integer(), items: Type.Array(ErasureShape) }),
  run: (input, { caller, read, services }) =>
    read(async transaction => {
      const position = decodeCursor('erasures', input.cursor, services.now())
      const count = await countErasures(transaction, caller.workspaceId)
      const page = { limit: input.limit ?? DEFAULT_LIMIT, offset: position.offset }
      const rows = await readErasures(transaction, caller.workspaceId, page)
      return {
        data: { count, items: rows.map(erasureShape) },
        nextCursor: nextCursor('erasures', position, rows.length, count),
      }
    }),
})
