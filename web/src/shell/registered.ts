import { useLayoutEffect, useSyncExternalStore } from 'react'
import { createWatchers } from '../watchers.ts'

/**
 * What the screens that are shown at the moment have put down for the shell: their keys, their commands, their banners.
 */
export const createRegister = <Item>() => {
  let lists: readonly (readonly Item[])[] = []
  let all: readonly Item[] = []
  const { tell, watch } = createWatchers()
  const change = (next: typeof lists) => {
    lists = next
    all = lists.flat()
    tell()
  }
  return {
    /**
     * Adds the items for as long as the component is mounted; `items` must stay the same object while nothing in it
     * changes.
     */
    useRegister: (items: readonly Item[]): void =>
      useLayoutEffect(() => {
        change([...lists, items])
        return () => change(lists.filter(each => each !== items))
      }, [items]),
    useAll: (): readonly Item[] => useSyncExternalStore(watch, () => all),
    /** The items of this moment, the last registered first. */
    newestFirst: (): readonly Item[] => lists.toReversed().flat(),
  }
}

interface Command {
  /** What it does, as a person would look for it: `Dismiss SIG-7`. */
  readonly label: string
  readonly group: string
  readonly run: () => void
}

// Apart from the palette, which knows the screens that use this.
const commands = createRegister<Command>()

/**
 * Adds commands to the palette while the component is mounted. Give it the same array (`useMemo`) while nothing
 * changes.
 */
export const useCommands = commands.useRegister

export const useAllCommands = commands.useAll
