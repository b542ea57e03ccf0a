import { newId, type SourceId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Source } from './source.ts'

/** A source of signals without a secret, but for what is given. */
export const testSource = (over: Partial<Source> = {}): Source => ({
  id: newId<SourceId>(),
  workspaceId: newId<WorkspaceId>(),
  tenantId: newId<TenantId>(),
  kind: 'signal',
  codeHost: null,
  name: 'Test source',
  secrets: [],
  secretHashes: [],
  settings: {},
  paused: false,
  ...over,
})
