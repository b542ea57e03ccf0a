import type { ConfigSchema } from '../runtime/config.ts'
import { url } from '../runtime/settings.ts'

/** How programs of their own reach the database. */
export const POSTGRES_CONFIG = {
  databaseUrl: url({
    env: 'DATABASE_URL',
    schemes: ['postgres', 'postgresql'],
    doc: 'The PostgreSQL database, with pgvector: postgres://user:password@host:5432/assay. `assay migrate` needs a user that may create roles.',
  }),
} satisfies ConfigSchema
