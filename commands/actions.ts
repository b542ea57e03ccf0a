/** What the commands can do that do several things: the command line knows the words before it loads a command. */

export const ACCOUNT_ACTIONS = [
  'list',
  'reset-link',
  'reset-password',
  'set-password',
  'verify-address',
  'change-address',
  'remove-two-factor',
  'remove-passkeys',
  'disable',
  'enable',
  'make-administrator',
] as const

export const ERASURES_ACTIONS = ['save', 'again'] as const

export const KEY_ACTIONS = ['new', 'rotate', 'status'] as const
