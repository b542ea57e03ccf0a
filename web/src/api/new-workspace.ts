import { useQueryClient } from '@tanstack/react-query'
import { chooseWorkspace } from './accounts.ts'
import { callOnce, useWrite } from './operations.ts'

interface Wanted {
  readonly name: string
  /** Filled with what a year of one product leaves, to look around in. */
  readonly sandbox: boolean
}

/** Makes a workspace and enters it; one with sample data is filled before anybody looks. */
export const useNewWorkspace = () => {
  const queries = useQueryClient()
  const make = async ({ name, sandbox }: Wanted) => {
    const { data } = await callOnce('create_workspace', { name, sandbox })
    chooseWorkspace(data.id)
    if (sandbox) await callOnce('reset_sandbox', {})
  }
  return useWrite(make, {
    leavesPage: true,
    // The app starts afresh in it. One that was made and not filled is shown here, where it can be filled again.
    onSuccess: () => location.assign('/app'),
    onError: () => queries.invalidateQueries(),
  })
}
