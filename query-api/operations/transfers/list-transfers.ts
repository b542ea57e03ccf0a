import { Type } from 'typebox'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, limit } from '../parts/fields.ts'
import { SELECT_TRANSFERS, type TransferRow, TransferShape, transferShape } from './transfer-shape.ts'

const SINCE = '$1::timestamptz is null or created_at <= $1'
const PAGE = `${SELECT_TRANSFERS} where ${SINCE} order by created_at desc, id desc limit $2 offset $3`
const COUNT = `select count(*)::integer as count from transfers where ${SINCE}`

export const listTransfers = readOperation({
  name: 'list_transfers',
  title: 'Imports and exports',
  summary: 'Lists the files that were brought into the workspace or made of it, the newest first, each with its jobs.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  whileImported: true,
  input: Type.Object({ limit, cursor }),
  output: Type.Object({ count: Type.Integer(), items: Type.Array(TransferShape) }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('transfers', input.cursor, services.now())
      const since = input.cursor === undefined ? null : position.at
      const [counted] = await transaction.query<{ count: number }>(COUNT, [since])
      const rows = await transaction.query<TransferRow>(PAGE, [since, input.limit ?? DEFAULT_LIMIT, position.offset])
      return {
        data: { count: counted?.count ?? 0, items: rows.map(transferShape) },
        nextCursor: nextCursor('transfers', position, rows.length, counted?.count ?? 0),
      }
    }),
})
