import type { Fingerprints } from '../../infra/models/unchanged-embedder.ts'
import type { Database } from '../../infra/postgres/port.ts'
import { fromVectorBytes, toVectorBytes } from '../../infra/vectors.ts'

const KEEP = 'insert into embedding_fingerprints (model, vectors) values ($1, $2) on conflict do nothing'
const READ = 'select vectors from embedding_fingerprints where model = $1'

/** The installation's fingerprints. The first one of a model stays, whichever program stored it. */
export const storedFingerprints = (database: Database): Fingerprints => ({
  firstOf: (model, vectors) =>
    database.transaction({ role: 'assay_accounts' }, async transaction => {
      await transaction.query(KEEP, [model, Buffer.concat(vectors.map(toVectorBytes))])
      const [row] = await transaction.query<{ readonly vectors: Uint8Array }>(READ, [model])
      if (row === undefined) throw new Error('A fingerprint that was kept is there.')
      const all = fromVectorBytes(row.vectors)
      const length = all.length / vectors.length
      return vectors.map((_, index) => all.subarray(index * length, (index + 1) * length))
    }),
})
