const STORED = 'assay-workspace'

/** The workspace that this tab works in; null: the one that the service picks, the person’s first. */
export const chosenWorkspace = (): string | null => sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED)

/** Makes this tab, and those opened later, work in a workspace. */
export const chooseWorkspace = (id: string): void => {
  sessionStorage.setItem(STORED, id)
  localStorage.setItem(STORED, id)
}

export const forgetWorkspace = (): void => {
  sessionStorage.removeItem(STORED)
  localStorage.removeItem(STORED)
}

export const hasChosenWorkspace = (): boolean => chosenWorkspace() !== null

/** What every request to the app’s door carries. */
export const workspaceHeaders = (): Readonly<Record<string, string>> => {
  const id = chosenWorkspace()
  return id === null ? {} : { 'x-workspace-id': id }
}
