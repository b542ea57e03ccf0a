import { Type } from 'typebox'
import { cursorReader } from '../cursor.ts'
import type { JobDefinition } from '../job-kind.ts'
import { FILE_START, FilePositionFields, inWorkspace, transferOf } from '../transfer-file.ts'
import { type ImportSignalsDependencies, importSignals } from './import-signals.ts'
import { importWorkspace } from './import-workspace.ts'
import type { ImportWorkspaceDependencies } from './write-rows.ts'

const readCursor = cursorReader(Type.Object({ ...FilePositionFields, records: Type.Integer() }))

/** Imports an uploaded file: signals go through the pipeline, an export of a workspace into the tables. */
export const createImportJob = (
  dependencies: ImportSignalsDependencies & ImportWorkspaceDependencies,
): JobDefinition => ({
  kind: 'import',
  slice: async slice => {
    const inside = inWorkspace(dependencies, slice.workspaceId)
    const transfer = await transferOf(inside, slice)
    return transfer.format === 'workspace'
      ? importWorkspace(dependencies, inside, slice, transfer)
      : importSignals(dependencies, inside, slice, transfer, readCursor(slice.cursor) ?? { ...FILE_START, records: 0 })
  },
})
