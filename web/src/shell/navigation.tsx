import { Badge, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { NavLink, useNavigate } from 'react-router'
import { MINUTE_MS } from '../../../schemas/domain/durations.ts'
import { useLiveChange } from '../api/live-connection.ts'
import { type Output, operationKey, useOperation } from '../api/operations.ts'
import { language, t, word } from '../language/messages.ts'
import { loadPart } from '../load-part.ts'
import { SCREEN_GROUPS, type Screen, shownScreens } from '../screens.ts'
import { useKeys } from './keys.ts'
import { useCommands } from './registered.ts'
import classes from './shell.module.css'

type WaitingKind = keyof Output<'count_waiting'>

/** While things pour in, they are counted again no more often than this. */
const SETTLED_MS = 1000
/** The first of them a moment later: a workspace that is removed changes too, and is left by then. */
const SOON_MS = 500
/** So often the page counts without being told, for where the live connection cannot be opened. */
const REFRESH_MS = MINUTE_MS
const TOPICS = ['signals', 'proposals', 'decisions', 'discussions', 'dead_letters'] as const
/** What people and agents do, which any screen may show. */
const FOLLOWED = ['changes', 'settings'] as const

const loadFollowing = loadPart(() => import('./following.ts'))

/** The screen follows what colleagues and agents change. */
const useFollowing = (): void => {
  const queries = useQueryClient()
  useLiveChange(FOLLOWED, () => void loadFollowing().then(({ follow }) => follow(queries)))
}

/** How much of each kind waits for somebody, kept up to date; undefined until it is known. */
const useWaiting = (): Output<'count_waiting'> | undefined => {
  const queries = useQueryClient()
  const timer = useRef(0)
  const countedAt = useRef(0)
  useLiveChange(TOPICS, () => {
    timer.current ||= window.setTimeout(
      () => {
        timer.current = 0
        countedAt.current = performance.now()
        void queries.invalidateQueries({ queryKey: operationKey('count_waiting') })
      },
      Math.max(SOON_MS, countedAt.current + SETTLED_MS - performance.now()),
    )
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return useOperation('count_waiting', {}, { refresh_ms: REFRESH_MS }).data
}

interface Props {
  /** After a link was followed. */
  readonly onNavigate: () => void
}

/** The screens, grouped as people look for them, with how much waits at each. */
export const Navigation = ({ onNavigate }: Props) => {
  const screens = shownScreens()
  const waiting = useWaiting()
  useFollowing()
  const navigate = useNavigate()
  useKeys(
    screens.flatMap(({ path, title, key }) =>
      key === undefined
        ? []
        : [{ key: `g ${key}`, does: t('Go to {title}', { title }), run: () => navigate(`/app/${path}`) }],
    ),
  )
  return SCREEN_GROUPS.map(group => ({ group, inGroup: screens.filter(screen => screen.group === group) }))
    .filter(({ inGroup }) => inGroup.length > 0)
    .map(({ group, inGroup }) => (
      <div key={group}>
        <Text className={classes.group} id={`navigation-${group}`}>
          {word(group)}
        </Text>
        <ul className="plain" aria-labelledby={`navigation-${group}`}>
          {inGroup.map(screen => {
            const kind = WAITING_AT[screen.path]
            return (
              <li key={screen.path}>
                <ScreenLink
                  screen={screen}
                  onNavigate={onNavigate}
                  waiting={kind === undefined ? 0 : (waiting?.[kind] ?? 0)}
                  what={kind === undefined ? '' : WAITS[kind]}
                />
              </li>
            )
          })}
        </ul>
      </div>
    ))
}

/** Where each is decided. */
const WAITING_AT: Readonly<Record<string, Exclude<WaitingKind, 'mentions'>>> = {
  triage: 'signals',
  proposals: 'proposals',
  board: 'in_review',
  pipeline: 'dead_letters',
}

const WAITS: Readonly<Record<Exclude<WaitingKind, 'mentions'>, string>> = {
  signals: t('to decide'),
  proposals: t('to decide'),
  in_review: t('in review'),
  dead_letters: t('dead letters'),
}

/** A number that is read at a glance; beyond it only that there are more. */
const MAX_SHOWN = 999

interface ScreenLinkProps extends Props {
  readonly screen: Screen
  readonly waiting: number
  readonly what: string
}

const ScreenLink = ({ screen: { path, title, icon: Icon }, onNavigate, waiting, what }: ScreenLinkProps) => (
  <NavLink className={classes.link ?? ''} to={`/app/${path}`} onClick={onNavigate}>
    <Icon size={17} stroke={1.6} aria-hidden />
    {title}
    {waiting > 0 && (
      <span className={classes.waiting} title={`${numberOf(waiting)} ${what}`}>
        {numberOf(waiting)}
      </span>
    )}
  </NavLink>
)

const numberOf = (waiting: number): string => (waiting > MAX_SHOWN ? `${MAX_SHOWN}+` : waiting.toLocaleString(language))

const MAX_UNREAD = 99

/** The way to the person’s inbox, with how many comments name them and wait to be read. */
export const InboxLink = ({ onNavigate }: Props) => {
  const navigate = useNavigate()
  useKeys([{ key: 'g i', does: t('Go to {title}', { title: t('Inbox') }), run: () => navigate('/app/inbox') }])
  useCommands(useMemo(() => [{ group: t('Go to'), label: t('Inbox'), run: () => navigate('/app/inbox') }], [navigate]))
  const unread = useWaiting()?.mentions ?? 0
  return (
    <NavLink className={classes.link ?? ''} to="/app/inbox" onClick={onNavigate}>
      <IconMail size={17} stroke={1.6} aria-hidden />
      {t('Inbox')}
      {unread > 0 && (
        <Badge size="sm" ms="auto" circle={unread < 10} aria-label={t('{unread} unread', { unread })}>
          {unread > MAX_UNREAD ? `${MAX_UNREAD}+` : unread}
        </Badge>
      )}
    </NavLink>
  )
}
