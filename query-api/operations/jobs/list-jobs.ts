import { countJobs, listJobs as readJobs } from '../../../model/jobs/jobs.ts'
import { JOB_KINDS, JOB_STATES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { cursor, limit, listDepth, oneOf } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { JobShape, jobShape } from './job.ts'

const LINE = ['id', 'kind', 'state', 'done', 'total', 'failed', 'message', 'created_at'] as const

export const listJobs = readOperation({
  name: 'list_jobs',
  title: 'Long work on the workspace, with its progress',
  summary:
    'Lists the jobs of the workspace, the newest first: replays of dead letters, and what is done again after a change (re_embed for another embedding model, re_scrub for newer rules about personal data, re_anchor for a changed map, re_judge for a judge that is new, learn for what people said). Each with its progress, who or what began it, and what it says.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  allowedDuringImport: true,
  input: Type.Object({
    job_kind: Type.Optional(oneOf(JOB_KINDS, { description: 'Only jobs of this kind.' })),
    job_state: Type.Optional(oneOf(JOB_STATES, { description: 'Only jobs in this state.' })),
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({ count: Type.Integer({ description: 'Jobs in all.' }), items: listOf(JobShape, LINE) }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('jobs', input.cursor, services.now())
      const selection = {
        kind: input.job_kind ?? null,
        state: input.job_state ?? null,
        // Jobs that start between two pages appear only in a new first page.
        until: input.cursor === undefined ? null : position.at,
      }
      const count = await countJobs(transaction, selection)
      const page = { limit: pageSize(input), offset: position.offset }
      const rows = await readJobs(transaction, selection, page)
      const { items, note } = listed(input, rows.map(jobShape), { line: LINE })
      return {
        data: { count, items },
        note,
        nextCursor: nextCursor('jobs', position, items.length, count),
      }
    }),
})
