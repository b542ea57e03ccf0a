import { useOperation } from '../../api/hooks.ts'

/** The person’s role in the workspace; undefined until it is read. */
export const useRole = () => useOperation('list_workspaces', {}).data?.items.find(({ current }) => current)?.role

/** Whether the person may change something here; false until their role is read. */
export const useCanManagePipeline = (): boolean => {
  const role = useRole()
  return role === 'owner' || role === 'member'
}
