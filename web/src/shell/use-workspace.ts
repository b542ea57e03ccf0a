import { useEffect } from 'react'
import { chooseWorkspace, chosenWorkspace, forgetWorkspace } from '../api/accounts.ts'
import { shownWorkspace, showWorkspace } from '../api/addresses.ts'
import { useOperation } from '../api/operations.ts'

/**
 * Keeps the address and this tab in the workspace that the service answers of. Answers whether the person is no member
 * of the one that the address names.
 */
export const useIsNoMember = (): boolean => {
  const { data, error } = useOperation('list_workspaces', {})
  const slug = data?.items.find(({ current }) => current)?.slug
  useEffect(() => {
    if (slug === undefined) return
    chooseWorkspace(slug)
    showWorkspace(slug)
  }, [slug])
  const isRefused = error?.code === 'forbidden'
  const isNamed = shownWorkspace() !== null
  // The membership of the workspace that this tab remembers has ended: the service picks another one.
  const isStale = isRefused && !isNamed && chosenWorkspace() !== null
  useEffect(() => {
    if (!isStale) return
    forgetWorkspace()
    location.reload()
  }, [isStale])
  return isRefused && isNamed
}
