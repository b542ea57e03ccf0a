import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { readSource, type SourceRow } from '../../../model/sources/read-sources.ts'
import { identifier } from '../parts/fields.ts'

/** A source of the transaction's workspace. Rejects with `not_found`. */
export const findSource = async (transaction: Transaction, id: string): Promise<SourceRow> =>
  (await readSource(transaction, id)) ?? noSource(id)

/** A source as callers name it. */
export const sourceId = Type.With(identifier, { description: 'The source. A UUID or exact name.' })

/** The source that an identifier stands for. Rejects with `not_found` or `ambiguous`. */
export const resolveSource = async (transaction: Transaction, identified: string): Promise<SourceRow> =>
  findSource(transaction, (await resolveOne(transaction, 'source', identified)).id)

export const noSource = (id: string): never => {
  throw new AssayError('not_found', `No source ${id} is in this workspace; list_sources lists them.`)
}
