import { createRegister } from './registered.ts'

interface Command {
  /** What it does, as a person would look for it: `Dismiss SIG-7`. */
  readonly label: string
  readonly group: string
  readonly run: () => void
}

// Apart from the palette, which knows the screens that use this.
const commands = createRegister<Command>()

/** Adds commands to the palette while the component is mounted. Give it the same array (`useMemo`) while nothing changes. */
export const useCommands = commands.useRegister

export const useAllCommands = commands.useAll
