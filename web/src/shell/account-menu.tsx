import { Button, Menu, Text, useMantineColorScheme } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import {
  IconDeviceDesktop,
  IconHelp,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import { Link } from 'react-router'
import { knowPerson, readSession, signOut } from '../api/accounts.ts'
import { showDrafts } from '../api/drafts.ts'
import { useOperation } from '../api/operations.ts'
import { LANGUAGES, languageOf } from '../language/languages.ts'
import { chooseLanguage, language, t } from '../language/messages.ts'
import { notifyFailed } from './notify.tsx'
import { useAllCommands } from './registered.ts'

const DENSITIES = [
  { density: 'comfortable', title: t('Comfortable') },
  { density: 'dense', title: t('Dense') },
] as const
type Density = (typeof DENSITIES)[number]['density']

const STORED = 'assay-density'

/** What a browser has stored may be older than these, or somebody else’s. */
const densityOf = (stored: string | null | undefined): Density =>
  DENSITIES.find(({ density }) => density === stored)?.density ?? 'comfortable'

/** How close the lines of every list stand, as the person chose in this browser. */
export const useDensity = () =>
  useLocalStorage<Density>({
    key: STORED,
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
    serialize: density => density,
    deserialize: densityOf,
  })

/** Tells it to the style sheets; called once, by the shell. */
export const useShownDensity = (): void => {
  const [density] = useDensity()
  useLayoutEffect(() => {
    document.documentElement.dataset.density = density
  }, [density])
}

const SCHEMES = [
  { scheme: 'light', title: t('Light'), icon: IconSun },
  { scheme: 'dark', title: t('Dark'), icon: IconMoon },
  { scheme: 'auto', title: t('System'), icon: IconDeviceDesktop },
] as const

const schemeOf = (chosen: string | number) => SCHEMES.find(({ scheme }) => scheme === chosen)?.scheme ?? 'auto'

/** It holds the room of a line until the address is read. */
const NO_BREAK = '\u00a0'

/** Who is signed in, how the app looks to them, and the way out. */
export const AccountMenu = () => {
  const [opened, setOpened] = useState(false)
  const { user_id, user_name: name = '' } = useOperation('list_workspaces', {}).data ?? {}
  useLayoutEffect(() => {
    if (user_id !== undefined && knowPerson(user_id)) showDrafts()
  }, [user_id])
  const { data: session } = useQuery({
    queryKey: ['session'],
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: opened,
  })
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [density, setDensity] = useDensity()
  const help = useAllCommands().filter(({ group }) => group === t('Help'))
  return (
    <Menu width={240} position="top-start" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="inherit"
          px="sm"
          fullWidth
          justify="flex-start"
          leftSection={<IconUserCircle size={18} stroke={1.6} aria-hidden />}
          aria-label={t('Account: {name}', { name })}
        >
          <Text component="bdi" size="sm" truncate>
            {name || ' '}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <bdi>{session?.user.email ?? NO_BREAK}</bdi>
        </Menu.Label>
        <Menu.Label>{t('Appearance')}</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={chosen => setColorScheme(schemeOf(chosen))}>
          {SCHEMES.map(({ scheme, title, icon: Icon }) => (
            <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon size={16} stroke={1.6} />}>
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Label>{t('Lists')}</Menu.Label>
        <Menu.RadioGroup value={density} onChange={chosen => setDensity(densityOf(String(chosen)))}>
          {DENSITIES.map(({ density: each, title }) => (
            <Menu.RadioItem key={each} value={each}>
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Label>{t('Language')}</Menu.Label>
        <Menu.RadioGroup value={language} onChange={chosen => chooseLanguage(languageOf([String(chosen)]))}>
          {LANGUAGES.map(({ language: each, name }) => (
            <Menu.RadioItem key={each} value={each} lang={each}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        {help.map(({ label, run }) => (
          <Menu.Item key={label} leftSection={<IconHelp size={16} stroke={1.6} />} onClick={run}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Item component={Link} to="/app/settings/account" leftSection={<IconSettings size={16} stroke={1.6} />}>
          {t('Account and password')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={() => signOut().catch(notifyFailed)}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
