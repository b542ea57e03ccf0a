/** What a list of things with owners is filtered by. */
export const OWNERS = [
  { value: 'me', label: 'Mine' },
  { value: 'nobody', label: 'Without an owner' },
] as const
