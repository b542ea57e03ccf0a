import { MEMBER_ROLES, type MemberRole } from '../../../../schemas/domain/vocabulary.ts'
import { t, word } from '../../language/messages.ts'

/** What each role may do, as people choose between them. */
export const ROLE_MEANINGS: Readonly<Record<MemberRole, string>> = {
  owner: t('Everything, members and rules too'),
  member: t('Connects sources, triages and decides'),
  viewer: t('Reads everything, changes nothing'),
}

export const ROLE_CHOICES = MEMBER_ROLES.map(role => ({ value: role, label: word(role) }))

/** What a list of roles answers as one; the list has no others. */
export const roleOf = (value: string | null): MemberRole => MEMBER_ROLES.find(role => role === value) ?? 'viewer'
