import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { SELECT_SOURCES, type SourceRow } from './source-shape.ts'

const FIND = `${SELECT_SOURCES} and sources.id = $1`

/** A source of the transaction's workspace. Rejects with `not_found`. */
export const findSource = async (transaction: Transaction, id: string): Promise<SourceRow> => {
  const [source] = await transaction.query<SourceRow>(FIND, [id])
  return source ?? noSource(id)
}

export const noSource = (id: string): never => {
  throw new AssayError('not_found', `No source ${id} is in this workspace; list_sources lists them.`)
}
