import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { newId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { runningJob } from '../jobs/jobs.ts'
import { startJobUnlessRunning } from '../jobs/start-job.ts'
import { lockWorkspaces } from '../signals/scope.ts'
import { everyWorkspaceId } from '../workspaces/workspaces.ts'
import { insertErasure, type SoughtAgain } from './erasures.ts'
import { storeMarks } from './tombstones.ts'

/**
 * The marks of every erasure of an installation, stored beside its backups: a backup still holds people who were erased
 * later. The marks are keyed hashes. Only the installation's key can test whether a person is among them.
 */
const ErasureListShape = Type.Object({
  format: Type.Literal(1),
  saved_at: Type.String(),
  marks: Type.Array(Type.Tuple([Type.String(), Type.String(), Type.Integer()])),
})
export type ErasureList = Static<typeof ErasureListShape>
const check = Compile(ErasureListShape)

/** Throws `damaged` when the text is no such list. */
export const parseErasureList = (text: string, file: string): ErasureList => {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch (error) {
    throw new AssayError('damaged', `${file} is damaged: it is no list of erasures.`, { cause: error })
  }
  if (check.Check(list)) return list
  throw new AssayError('damaged', `${file} is no list of erasures that this version of Assay reads.`)
}

interface MarkRow {
  readonly mark: string
  readonly before: Date
}

const MARKS = 'select mark, before from erasure_marks where workspace_id = $1 order by mark'

const marksOf = (transaction: Transaction, workspaceId: WorkspaceId) => transaction.query<MarkRow>(MARKS, [workspaceId])

/** Every mark of the installation and of the earlier list, so that no mark is ever lost. */
export const readErasureList = async (database: Database, before: ErasureList | null): Promise<ErasureList> => {
  const marks = new Map(before?.marks.map(([workspace, mark, at]) => [`${workspace} ${mark}`, at]))
  for (const workspaceId of await everyWorkspaceId(database)) {
    const rows = await database.transaction({ role: 'assay_erasure', workspaceId }, transaction =>
      marksOf(transaction, workspaceId),
    )
    for (const { mark, before: at } of rows) marks.set(`${workspaceId} ${mark}`, at.getTime())
  }
  const listed = [...marks].map(([key, at]): ErasureList['marks'][number] => {
    const space = key.indexOf(' ')
    return [key.slice(0, space), key.slice(space + 1), at]
  })
  return { format: 1, saved_at: new Date().toISOString(), marks: listed }
}

/** Workspaces in which an erasure began, and those in which it must wait. */
export interface ErasedAgain {
  readonly begun: number
  readonly busy: number
}

const BESIDE = ['import', 'check_import', 'export', 'erase'] as const
const NOBODY = '00000000-0000-0000-0000-000000000000' as UserId
const BY = 'assay erasures again'

/**
 * Repeats every erasure of the list that this installation does not know. Records on the log are dropped from now on,
 * and a job in each workspace removes stored rows. A repetition begins nothing twice.
 */
export const eraseAgain = async (
  database: Database,
  list: ErasureList,
  seal: (plaintext: string) => Uint8Array,
): Promise<ErasedAgain> => {
  const listed = Map.groupBy(list.marks, ([workspace]) => workspace)
  let begun = 0
  let busy = 0
  for (const workspaceId of await everyWorkspaceId(database)) {
    const outcome = await database.transaction({ role: 'assay_erasure', workspaceId }, async transaction => {
      const known = new Map((await marksOf(transaction, workspaceId)).map(row => [row.mark, row.before.getTime()]))
      const news = (listed.get(workspaceId) ?? []).filter(([, mark, at]) => at > (known.get(mark) ?? 0))
      if (news.length === 0) return 'known'
      for (const kind of BESIDE) if ((await runningJob(transaction, kind)) !== undefined) return 'busy'
      await lockWorkspaces(transaction, [workspaceId], 'signals')
      if (!(await beginAgain(transaction, workspaceId, news, seal))) return 'busy'
      for (const [, mark, at] of news) await storeMarks(transaction, workspaceId, [mark], new Date(at))
      return 'begun'
    })
    begun += outcome === 'begun' ? 1 : 0
    busy += outcome === 'busy' ? 1 : 0
  }
  return { begun, busy }
}

const beginAgain = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  news: ErasureList['marks'],
  seal: (plaintext: string) => Uint8Array,
): Promise<boolean> => {
  const now = Date.now()
  const sought: SoughtAgain = {
    what: 'again',
    marks: news.map(([, mark]) => mark),
    // Signals that a person sent after the erasure are new, and stay.
    before: new Date(news.reduce((latest, [, , at]) => (at <= now ? Math.max(latest, at) : latest), 0)).toISOString(),
    actors: [],
    sourceIds: [],
    signalIds: [],
    words: [],
    addresses: [],
  }
  const id = newId()
  const jobId = await startJobUnlessRunning(transaction, {
    workspaceId,
    kind: 'erase',
    input: { erasure_id: id },
    total: null,
    startedBy: BY,
  })
  if (jobId === null) return false
  const sealed = seal(JSON.stringify(sought))
  await insertErasure(transaction, {
    id,
    workspaceId,
    jobId,
    what: 'person',
    label: '',
    sealed,
    by: { id: NOBODY, name: BY },
  })
  return true
}
