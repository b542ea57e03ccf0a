import { t } from '../../language/messages.ts'
/** What a list of things with owners is filtered by. */
export const OWNERS = [
  { value: 'me', label: t('Mine') },
  { value: 'nobody', label: t('Without an owner') },
] as const
