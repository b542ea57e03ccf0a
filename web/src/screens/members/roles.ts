import { MEMBER_ROLES, type MemberRole } from '../../../../schemas/domain/vocabulary.ts'

/** What each role may do, as people choose between them. */
export const ROLE_MEANINGS: Readonly<Record<MemberRole, string>> = {
  owner: 'Everything, members and rules too',
  member: 'Connects sources, triages and decides',
  viewer: 'Reads everything, changes nothing',
}

export const ROLE_CHOICES = MEMBER_ROLES.map(role => ({ value: role, label: role }))

/** What a list of roles answers as one; the list has no others. */
export const roleOf = (value: string | null): MemberRole => MEMBER_ROLES.find(role => role === value) ?? 'viewer'
