import type { WaitingCounts } from '../../model/workspaces/overview.ts'
import { counted } from '../../schemas/domain/for-people.ts'
import type { UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { visibleText } from '../../schemas/domain/visible-text.ts'
import type { Digest, MailKind, MemberRole } from '../../schemas/domain/vocabulary.ts'
import { addressIn } from '../../schemas/http/workspace-address.ts'

/** Fields of each kind of mail; the queue seals them, so a token may be among them. `email` is the recipient. */
export interface MailContents {
  readonly password_reset: { readonly email: string }
  readonly password_changed: { readonly email: string }
  /** Goes to the address before the change. */
  readonly address_changed: { readonly email: string }
  readonly sign_in_changed: { readonly email: string; readonly change: SignInChange }
  readonly verification: { readonly email: string; readonly token: string }
  readonly invitation: {
    readonly email: string
    readonly token: string
    readonly workspace: string
    readonly role: MemberRole
    readonly invitedBy: string
    readonly days: number
  }
  readonly digest: {
    readonly email: string
    readonly userId: UserId
    readonly workspaceId: WorkspaceId
    readonly workspace: string
    readonly every: Exclude<Digest, 'never'>
    /** Start of the digest's period, ISO 8601. */
    readonly from: string
    readonly waiting: WaitingCounts
    readonly changes: readonly {
      readonly kind: string
      readonly count: number
      readonly items: readonly { readonly reference: string | null; readonly title: string; readonly message: string }[]
    }[]
  }
}
export type SignInChange =
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'two_factor_removed'
  | 'backup_codes_made'
  | 'passkey_added'
  | 'passkey_removed'
  | 'sign_on_linked'
export type MailContent = { readonly [Kind in MailKind]: MailContents[Kind] & { readonly kind: Kind } }[MailKind]

export interface Written {
  readonly subject: string
  readonly text: string
}

/** Host of the service as people know it: `assay.example.com`. */
const hostOf = (baseUrl: string): string => new URL(baseUrl).host

const message = (subject: string, ...paragraphs: readonly string[]): Written => ({
  subject,
  text: `${paragraphs.join('\n\n')}\n`,
})

const MAX_NAME_CHARACTERS = 60

/**
 * A name that one person chose, in a mail to another: one line, short, without text that a mail program would turn into
 * a link. Otherwise everybody who can name a workspace could send advertisements through the service.
 */
const nameInMail = (name: string): string => `“${lineInMail(name, MAX_NAME_CHARACTERS)}”`

const lineInMail = (text: string, most: number): string => {
  const line = visibleText(text)
    .replaceAll(/[/\\@:]+/g, ' ')
    .replaceAll(/\.(?=\S)/g, '. ')
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  const signs = [...line]
  return signs.length > most ? `${signs.slice(0, most - 1).join('')}…` : line
}

export const resetMessage = (baseUrl: string, link: string): Written =>
  message(
    'Choose a new password for Assay',
    `You, or somebody who knows your address, asked for a new password for your account at ${hostOf(baseUrl)}.`,
    'Open this link within an hour and choose one:',
    link,
    'The link works once. It signs you out everywhere; then sign in with the new password.',
    'It was not you? Do nothing. Your password stays as it is.',
  )

export const passwordChangedMessage = (baseUrl: string, link: string): Written =>
  message(
    'Your password for Assay was changed',
    `The password of your account at ${hostOf(baseUrl)} was changed just now, and you were signed out everywhere else.`,
    'It was you? Then there is nothing to do.',
    'It was not you? Choose a new password at once. Then remove the passkeys that you do not know under Settings → Account, because they still work, and look at the keys of your agents under Settings → Account → Connect agents:',
    link,
  )

export const addressChangedMessage = (baseUrl: string): Written =>
  message(
    'Your address for Assay was changed',
    `Your account at ${hostOf(baseUrl)} has another address from now on. You sign in with that one, and mails go there.`,
    'It was you? Then there is nothing to do.',
    'It was not you? Tell an administrator of the installation at once: they can disable the account and give it back to you.',
  )

const SIGN_IN_CHANGES: Readonly<Record<SignInChange, string>> = {
  two_factor_enabled: 'A second factor is asked for from now on when somebody signs in to your account',
  two_factor_disabled: 'The second factor of your account was turned off',
  two_factor_removed: 'Those who run the installation removed the second factor of your account',
  backup_codes_made: 'New backup codes were made for your account; the earlier ones no longer work',
  passkey_added: 'A passkey was added to your account, which signs in without the password',
  passkey_removed: 'A passkey of your account was removed',
  sign_on_linked: 'Your account was linked to the single sign-on of your company',
}

export const signInChangedMessage = (baseUrl: string, change: SignInChange): Written =>
  message(
    'How you sign in to Assay was changed',
    `${SIGN_IN_CHANGES[change]}, at ${hostOf(baseUrl)}, just now.`,
    'It was you, or you asked for it? Then there is nothing to do.',
    'It was not you? Choose a new password at once, remove the passkeys that you do not know and end all other sessions under Settings → Account, and tell an administrator of the installation.',
  )

export const verificationMessage = (baseUrl: string, link: string): Written =>
  message(
    'Confirm your address for Assay',
    `This address was given for an account at ${hostOf(baseUrl)}. Open this link within a day to confirm that it is yours:`,
    link,
    'It was not you? Do nothing, and the address stays unconfirmed.',
  )

const MAY: Readonly<Record<MemberRole, string>> = {
  owner: 'an owner: you read, work, invite others and set the rules',
  member: 'a member: you read and work',
  viewer: 'a viewer: you read',
}

export const invitationMessage = (
  baseUrl: string,
  link: string,
  { workspace, role, invitedBy, days }: MailContents['invitation'],
): Written =>
  message(
    `${nameInMail(invitedBy)} invites you to Assay`,
    `${nameInMail(invitedBy)} invites you to the workspace ${nameInMail(workspace)} at ${hostOf(baseUrl)}, as ${MAY[role]}.`,
    `Open this link within ${days === 1 ? 'a day' : counted(days, 'day')} to join. It is for one person:`,
    link,
    'You do not know who this is? Do nothing, and nobody is told that you read this.',
  )

const MAX_LINE_CHARACTERS = 120

const WAITING: Readonly<Record<keyof WaitingCounts, readonly [one: string, many: string]>> = {
  signals: ['Signal in Triage', 'Signals in Triage'],
  proposals: ['proposed merge', 'proposed merges'],
  in_review: ['Solution In Review', 'Solutions In Review'],
  dead_letters: ['dead letter', 'dead letters'],
}

const CHANGED: Readonly<Record<string, string>> = {
  signals: 'Signals that came in',
  older_signals: 'Signals of things that happened before',
  claims_appeared: 'New claims',
  claims_moved: 'Claims that changed their state',
  merges: 'Merges',
  solutions: 'Solutions',
  decisions: 'Decisions',
  outcomes: 'Outcomes',
  living_documents: 'Living Documents',
  removals: 'Removed for good',
  dead_letters: 'Dead letters',
}

const waitingLine = (waiting: WaitingCounts): readonly string[] => {
  const parts = (['signals', 'proposals', 'in_review', 'dead_letters'] as const)
    .filter(kind => waiting[kind] > 0)
    .map(kind => `${waiting[kind]} ${WAITING[kind][waiting[kind] === 1 ? 0 : 1]}`)
  return parts.length === 0 ? [] : [`To decide: ${parts.join(', ')}.`]
}

const changedLines = ({ kind, count, items }: MailContents['digest']['changes'][number]): string => {
  const lines = items.map(({ reference, title, message }) => {
    const said = `${lineInMail(title, MAX_LINE_CHARACTERS)}: ${lineInMail(message, MAX_LINE_CHARACTERS)}`
    return `- ${reference === null ? '' : `${reference} `}${said}`
  })
  return [`${CHANGED[kind] ?? kind.replaceAll('_', ' ')}: ${count}`, ...lines].join('\n')
}

/** Changes in a workspace, with a link to all of them. */
export const digestMessage = (baseUrl: string, slug: string | undefined, content: MailContents['digest']): Written => {
  const { workspace, every, from, waiting, changes } = content
  const name = nameInMail(workspace)
  return message(
    `What changed in ${name}`,
    `What changed in the workspace ${name} at ${hostOf(baseUrl)} since ${from.slice(0, 16).replace('T', ' ')} UTC.`,
    ...waitingLine(waiting),
    ...changes.map(changedLines),
    'All of it:',
    `${baseUrl}${addressIn(slug, '/app/changes')}`,
    `You get this mail each ${every === 'daily' ? 'day' : 'week'} in which something changed. Change that under Settings → Workspace:`,
    `${baseUrl}${addressIn(slug, '/app/settings/workspace')}`,
  )
}
