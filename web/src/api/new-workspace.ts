import { useQueryClient } from '@tanstack/react-query'
import { chooseWorkspace } from './accounts.ts'
import { type CallOnce, useWrite } from './operations.ts'

interface Wanted {
  readonly name: string
  /** True for a workspace with a year of a product's sample data. */
  readonly sandbox: boolean
}

interface Written {
  readonly name: string
  readonly forget: () => void
}

/**
 * Makes a workspace and enters it; a sandbox is filled first. `form` is the form with the name, whose draft belongs to
 * the earlier workspace.
 */
export const useNewWorkspace = (form?: Written) => {
  const queries = useQueryClient()
  const make = async ({ name, sandbox }: Wanted, once: CallOnce) => {
    const { data } = await once('create_workspace', { name, sandbox }, { draft: form?.name })
    if (sandbox) await once('reset_sandbox', {}, { workspace: data.id })
    form?.forget()
    chooseWorkspace(data.id)
  }
  return useWrite(make, {
    leavesPage: true,
    // The app reloads in the new workspace. A workspace that could not be filled is in the list; its settings can fill
    // it.
    onSuccess: () => location.assign('/app'),
    onError: () => queries.invalidateQueries(),
  })
}
