import { Type } from 'typebox'
import { JOB_KINDS, JOB_STATES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, limit, oneOf } from '../parts/fields.ts'
import { JOB_COLUMNS, type JobRow, JobShape, jobShape } from './job-shape.ts'

/** What is started while somebody pages belongs to the next reading from the beginning. */
const SELECTED = `
  from jobs
  where ($1::text is null or kind = $1) and ($2::text is null or state = $2) and ($3::timestamptz is null or created_at <= $3)`

const JOBS = `select ${JOB_COLUMNS} ${SELECTED} order by created_at desc, id desc limit $4 offset $5`

const COUNT = `select count(*)::integer as count ${SELECTED}`

export const listJobs = readOperation({
  name: 'list_jobs',
  title: 'Long work on the workspace, with its progress',
  summary:
    'Lists the jobs of the workspace, the newest first: replays of dead letters, and what is done again after a change (re_embed for another embedding model, re_scrub for newer rules about personal data, re_anchor for a changed map, re_judge for a judge that is new). Each with its progress, who or what began it, and what it says.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  whileImported: true,
  input: Type.Object({
    job_kind: Type.Optional(oneOf(JOB_KINDS, { description: 'Only jobs of this kind.' })),
    job_state: Type.Optional(oneOf(JOB_STATES, { description: 'Only jobs in this state.' })),
    limit,
    cursor,
  }),
  output: Type.Object({ count: Type.Integer({ description: 'Jobs in all.' }), items: Type.Array(JobShape) }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('jobs', input.cursor, services.now())
      const selection = [
        input.job_kind ?? null,
        input.job_state ?? null,
        input.cursor === undefined ? null : position.at,
      ]
      const [counted] = await transaction.query<{ count: number }>(COUNT, selection)
      const count = counted?.count ?? 0
      const rows = await transaction.query<JobRow>(JOBS, [...selection, input.limit ?? DEFAULT_LIMIT, position.offset])
      return {
        data: { count, items: rows.map(jobShape) },
        nextCursor: nextCursor('jobs', position, rows.length, count),
      }
    }),
})
