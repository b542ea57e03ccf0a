import { countTransfers, listTransfers as readTransfers } from '../../../model/transfers/transfers.ts'
import { readOperation, Type } from '../define.ts'
import { cursor, DEFAULT_LIMIT, limit } from '../parts/fields.ts'
import { decodeCursor, nextCursor } from '../parts/lists.ts'
import { TransferShape, transferShape } from './transfer.ts'

export const listTransfers = readOperation({
  name: 'list_transfers',
  title: 'Imports and exports',
  summary: 'Lists the files that were brought into the workspace or made of it, the newest first, each with its jobs.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  allowedDuringImport: true,
  input: Type.Object({ limit, cursor }),
  output: Type.Object({ count: Type.Integer(), items: Type.Array(TransferShape) }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('transfers', input.cursor, services.now())
      const until = input.cursor === undefined ? null : position.at
      const count = await countTransfers(transaction, until)
      const page = { limit: input.limit ?? DEFAULT_LIMIT, offset: position.offset }
      const rows = await readTransfers(transaction, until, page)
      return {
        data: { count, items: rows.map(transferShape) },
        nextCursor: nextCursor('transfers', position, rows.length, count),
      }
    }),
})
