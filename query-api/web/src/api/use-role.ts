import type { MemberRole } from '../../../../schemas/domain/vocabulary.ts'
import { useOperation } from './hooks.ts'

/** The person’s role in the workspace that the app works in; undefined until it is read. What a role may not do is not offered. */
export const useRole = (): MemberRole | undefined =>
  useOperation('list_workspaces', {}).data?.items.find(({ current }) => current)?.role
