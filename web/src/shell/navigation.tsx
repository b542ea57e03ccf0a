import { Text } from '@mantine/core'
import { NavLink } from 'react-router'
import { language } from '../language/language.ts'
import { t, word } from '../language/messages.ts'
import { SCREEN_GROUPS, type Screen, shownScreens } from '../screens.ts'
import classes from './shell.module.css'
import { useWaiting, type WaitingKind } from './use-waiting.ts'

interface Props {
  /** After a link was followed. */
  readonly onNavigate: () => void
}

/** The screens, grouped as people look for them, with how much waits at each. */
export const Navigation = ({ onNavigate }: Props) => {
  const screens = shownScreens()
  const waiting = useWaiting()
  return SCREEN_GROUPS.map(group => ({ group, inGroup: screens.filter(screen => screen.group === group) }))
    .filter(({ inGroup }) => inGroup.length > 0)
    .map(({ group, inGroup }) => (
      <div key={group}>
        <Text className={classes.group} id={`navigation-${group}`}>
          {word(group)}
        </Text>
        <ul className={classes.list} aria-labelledby={`navigation-${group}`}>
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
const MOST = 999

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

const numberOf = (waiting: number): string => (waiting > MOST ? `${MOST}+` : waiting.toLocaleString(language))
