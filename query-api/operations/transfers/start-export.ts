import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { insertTransfer } from '../../../model/transfers/transfer.ts'
import { newId, type TransferId } from '../../../schemas/domain/ids.ts'
import { writeOperation } from '../define.ts'
import { beginJob } from '../jobs/begin-job.ts'
import { readTransfer } from './find-transfer.ts'
import { TransferShape, transferShape } from './transfer-shape.ts'

const WORKSPACE = 'select slug from workspaces where id = $1'
const START = 'update transfers set job_id = $2 where id = $1'

export const startExport = writeOperation({
  name: 'start_export',
  title: 'Export everything of the workspace',
  summary:
    'Starts writing everything that the workspace owns into one file of JSON Lines, all as of one moment: it can be imported into an empty workspace, which is then the same. Without secrets, members and keys. list_transfers shows when it is done; the file is kept for a day.',
  effect: 'write',
  units: 10,
  role: 'owner',
  audience: 'people',
  input: Type.Object({}),
  output: TransferShape,
  apply: async (_input, transaction, context) => {
    const { caller, services } = context
    const { workspaceId, userName } = caller
    const [workspace] = await transaction.query<{ slug: string }>(WORKSPACE, [workspaceId])
    const id = newId<TransferId>()
    const day = services.now().toISOString().slice(0, 10)
    await insertTransfer(transaction, {
      id,
      workspace_id: workspaceId,
      direction: 'export',
      format: 'workspace',
      name: `${workspace?.slug ?? 'workspace'}-${day}.assay.jsonl`,
      started_by: userName,
    })
    const job = { kind: 'export', input: { transfer_id: id }, total: null } as const
    const started = await beginJob(transaction, context, job)
    if (started === null) {
      throw new AssayError('conflict', 'An export of this workspace is being made already; nothing was started.')
    }
    await transaction.query(START, [id, started])
    return { data: transferShape(await readTransfer(transaction, id)) }
  },
})
