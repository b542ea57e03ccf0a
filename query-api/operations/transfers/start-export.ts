import { insertTransfer, setTransferJob } from '../../../model/transfers/transfers.ts'
import { slugOfWorkspace } from '../../../model/workspaces/workspaces.ts'
import { newId, type TransferId } from '../../../schemas/domain/ids.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { beginJob } from '../jobs/job.ts'
import { readTransfer, TransferShape, transferShape } from './transfer.ts'

export const startExport = writeOperation({
  name: 'start_export',
  title: 'Export everything of the workspace',
  summary:
    'Starts writing everything that the workspace owns into one file of JSON Lines, all as of one moment: it can be imported into an empty workspace, which is then the same. Without secrets, members and keys. list_transfers shows when it is done; the file is kept for a day.',
  effect: 'write',
  units: 10,
  role: 'owner',
  audience: 'people',
  cannotBeUndone: 'It changes nothing of the workspace.',
  input: Type.Object({}),
  output: TransferShape,
  apply: async (_input, transaction, context) => {
    const { caller, services } = context
    const { workspaceId, userName } = caller
    const slug = await slugOfWorkspace(transaction, workspaceId)
    const id = newId<TransferId>()
    const day = services.now().toISOString().slice(0, 10)
    await insertTransfer(transaction, {
      id,
      workspace_id: workspaceId,
      direction: 'export',
      format: 'workspace',
      name: `${slug ?? 'workspace'}-${day}.assay.jsonl`,
      started_by: userName,
    })
    const job = { kind: 'export', input: { transfer_id: id }, total: null } as const
    const started = await beginJob(transaction, context, job)
    if (started === null) {
      throw new AssayError('conflict', 'An export of this workspace is being made already; nothing was started.')
    }
    await setTransferJob(transaction, id, started)
    return { data: transferShape(await readTransfer(transaction, id)) }
  },
})
