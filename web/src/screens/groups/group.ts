import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call, type Input, type OperationName, type Output, operationKey, useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { notifyDone, notifyUndoable } from '../../shell/notify.tsx'

export type Group = NonNullable<Output<'lookup_group'>['group']>
type Item = Output<'lookup_group'>['items'][number]
export type Member = Exclude<Item, Group>

/** The operation answers groups where none is named, and the Solutions of one that is. */
export const groupsIn = (items: readonly Item[]): Group[] => items.flatMap(item => ('name' in item ? [item] : []))
export const membersIn = (items: readonly Item[]): Member[] => items.flatMap(item => ('name' in item ? [] : [item]))

export const addressOf = ({ id }: Pick<Group, 'id'>): string => `/app/groups/${id}`

/** What shows groups, or the groups of a Solution. */
const READS = [
  'lookup_group',
  'lookup_solution',
  'lookup_backlog',
  'list_decisions',
  'lookup_decision',
] as const satisfies readonly OperationName[]

type Change = Input<'change_group'>
type Changed = Output<'change_group'>

interface Options {
  /** What is told once it is done. */
  readonly doneMessage: ReactNode
  /** The change that takes it back; absent where there is none. */
  readonly undo?: (changed: Changed) => Omit<Change, 'comment' | 'decision_id'>
  readonly onDone?: (changed: Changed) => void
  /** As of `useWrite`. */
  readonly goOn?: (changed: Changed) => void
}

/**
 * A change of a group by a human Decision. Done, it says so and offers the opposite change. Refused, what is shown is
 * read again, so that the person decides on what the group is by then.
 */
export const useGroupChange = ({ doneMessage, undo, onDone, goOn }: Options) => {
  const queries = useQueryClient()
  /** A group that is gone is not asked for again, though its page may still be there for a moment. */
  const readAgain = (refetchType: 'active' | 'none' = 'active') =>
    Promise.all(READS.map(name => queries.invalidateQueries({ queryKey: operationKey(name), refetchType })))
  const change = useChange('change_group', { ...(goOn && { goOn }) })
  const takeBack = async (changed: Changed, opposite: NonNullable<Options['undo']>): Promise<void> => {
    const comment = t('{reference} is taken back.', { reference: changed.decision.reference ?? t('A Decision') })
    await call('change_group', { ...opposite(changed), comment })
    await readAgain()
  }
  const decide = (input: Change): void =>
    change.mutate(input, {
      onError: () => readAgain(),
      onSuccess: changed => {
        onDone?.(changed)
        if (undo === undefined) notifyDone(doneMessage)
        else notifyUndoable(doneMessage, () => takeBack(changed, undo))
        return readAgain(changed.changed.deleted === true ? 'none' : 'active')
      },
    })
  return { ...change, decide }
}

/** Ids that a change names, as the service answers them. */
export const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
