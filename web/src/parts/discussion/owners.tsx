import { Avatar, Tooltip } from '@mantine/core'
import { t } from '../../language/messages.ts'

/** What a list of things with owners is filtered by. */
export const OWNERS = [
  { value: 'me', label: t('Mine') },
  { value: 'nobody', label: t('Without an owner') },
] as const

interface Props {
  readonly name: string
}

/** Who looks after something, in a small round: their initials, and their name on hover and to who hears the page. */
export const Initials = ({ name }: Props) => (
  <Tooltip label={t('Owner: {name}', { name })}>
    <Avatar size={22} name={name} color="accent" role="img" aria-label={t('Owner: {name}', { name })} alt="" />
  </Tooltip>
)
