import { Text } from '@mantine/core'
import { NavLink } from 'react-router'
import { SCREEN_GROUPS, type Screen, shownScreens } from '../screens.ts'
import classes from './shell.module.css'

interface Props {
  /** After a link was followed. */
  readonly onNavigate: () => void
}

/** The screens, grouped as people look for them. */
export const Navigation = ({ onNavigate }: Props) => {
  const screens = shownScreens()
  return SCREEN_GROUPS.map(group => ({ group, inGroup: screens.filter(screen => screen.group === group) }))
    .filter(({ inGroup }) => inGroup.length > 0)
    .map(({ group, inGroup }) => (
      <div key={group}>
        <Text className={classes.group} id={`navigation-${group}`}>
          {group}
        </Text>
        <ul className={classes.list} aria-labelledby={`navigation-${group}`}>
          {inGroup.map(screen => (
            <li key={screen.path}>
              <ScreenLink screen={screen} onNavigate={onNavigate} />
            </li>
          ))}
        </ul>
      </div>
    ))
}

const ScreenLink = ({ screen: { path, title, icon: Icon }, onNavigate }: Props & { readonly screen: Screen }) => (
  <NavLink className={classes.link ?? ''} to={`/app/${path}`} onClick={onNavigate}>
    <Icon size={17} stroke={1.6} aria-hidden />
    {title}
  </NavLink>
)
