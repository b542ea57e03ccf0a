import type { MemberRole } from '../../../schemas/domain/vocabulary.ts'
import { useOperation } from './hooks.ts'

/** The person’s role in the workspace that the app works in; undefined until it is known. */
export const useRole = (): MemberRole | undefined =>
  useOperation('list_workspaces', {}).data?.items.find(({ current }) => current)?.role

/** Whether the person may change things here. What may not be done is not offered; the service refuses it anyway. */
export const useCanEdit = (): boolean => {
  const role = useRole()
  return role === 'owner' || role === 'member'
}
