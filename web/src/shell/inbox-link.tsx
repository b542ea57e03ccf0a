import { Badge } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useMemo } from 'react'
import { NavLink, useNavigate } from 'react-router'
import { t } from '../language/messages.ts'
import classes from './shell.module.css'
import { useCommands } from './use-commands.ts'
import { useWaiting } from './use-waiting.ts'

const MOST_COUNTED = 99

interface Props {
  /** After the link was followed. */
  readonly onNavigate: () => void
}

/** The way to the person’s inbox, with how many comments name them and wait to be read. */
export const InboxLink = ({ onNavigate }: Props) => {
  const navigate = useNavigate()
  useCommands(useMemo(() => [{ group: t('Go to'), label: t('Inbox'), run: () => navigate('/app/inbox') }], [navigate]))
  const unread = useWaiting()?.mentions ?? 0
  return (
    <NavLink className={classes.link ?? ''} to="/app/inbox" onClick={onNavigate}>
      <IconMail size={17} stroke={1.6} aria-hidden />
      {t('Inbox')}
      {unread > 0 && (
        <Badge size="sm" ms="auto" circle={unread < 10} aria-label={t('{unread} unread', { unread })}>
          {unread > MOST_COUNTED ? `${MOST_COUNTED}+` : unread}
        </Badge>
      )}
    </NavLink>
  )
}
