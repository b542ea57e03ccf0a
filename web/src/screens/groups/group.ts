import type { Output } from '../../api/client.ts'

export type Group = NonNullable<Output<'lookup_group'>['group']>
type Item = Output<'lookup_group'>['items'][number]
export type Member = Exclude<Item, Group>

/** The operation answers groups where none is named, and the Solutions of one that is. */
export const groupsIn = (items: readonly Item[]): Group[] => items.flatMap(item => ('name' in item ? [item] : []))
export const membersIn = (items: readonly Item[]): Member[] => items.flatMap(item => ('name' in item ? [] : [item]))

export const addressOf = ({ id }: Pick<Group, 'id'>): string => `/app/groups/${id}`
