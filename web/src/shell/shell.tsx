import { Anchor, AppShell, Box, Burger, Button, Group, Kbd, Modal, ScrollArea, Text } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigationType } from 'react-router'
import { t } from '../language/messages.ts'
import { AccountMenu, useShownDensity } from './account-menu.tsx'
import { Palette } from './at-first-use.tsx'
import { Banners, DependencyBanner } from './banners.tsx'
import { BegunDialogs } from './begun-dialogs.tsx'
import { keycapsOf, useBoundKeys, useKeyboard, useKeys, useListKeys } from './keys.ts'
import { InboxLink, Navigation } from './navigation.tsx'
import classes from './shell.module.css'
import { SandboxMark, WorkspaceSwitcher } from './workspace-switcher.tsx'

/** What is around every screen behind the sign-in. On a phone the navigation is behind the burger. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const [opened, { toggle, close }] = useDisclosure()
  // Where the navigation collapses it is only moved out of sight; nobody should get there by keyboard.
  const collapses = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  useKeyboard()
  useListKeys()
  useShownDensity()
  useLightPrint()
  useScrollPlaces()
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 48, sm: 0 } }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !opened } }}
    >
      <a className={classes.skip} href="#main" data-chrome>
        {t('Skip to the content')}
      </a>
      <AppShell.Header hiddenFrom="sm" data-chrome>
        <Group h="100%" px="md">
          <Burger
            opened={opened}
            onClick={toggle}
            size="sm"
            aria-label={t('Open the navigation')}
            aria-expanded={opened}
          />
          <Anchor component={Link} to="/app" fw={650} c="inherit" underline="never">
            {t('Assay')}
          </Anchor>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navigation} inert={collapses && !opened} data-chrome>
        <AppShell.Section p="sm">
          <Group wrap="nowrap" gap="xs">
            <Burger opened={opened} onClick={toggle} size="sm" hiddenFrom="sm" aria-label={t('Close the navigation')} />
            <Box flex={1} miw={0}>
              <WorkspaceSwitcher />
            </Box>
          </Group>
          <Button
            variant="default"
            size="xs"
            mt="sm"
            fullWidth
            fw={400}
            c="dimmed"
            styles={{ label: { flex: 1 } }}
            leftSection={<IconSearch size={14} aria-hidden />}
            rightSection={
              <Text size="xs" c="dimmed" aria-hidden data-keyboard>
                {keycapsOf('mod+k').join(' ')}
              </Text>
            }
            onClick={spotlight.open}
          >
            {t('Search or go to…')}
          </Button>
        </AppShell.Section>
        <AppShell.Section grow component={ScrollArea} type="auto" scrollbarSize={8} px="sm">
          <nav aria-label={t('Main')}>
            <InboxLink onNavigate={close} />
            <Navigation onNavigate={close} />
          </nav>
        </AppShell.Section>
        <SandboxMark />
        {!collapses && (
          // Here it moves nothing that somebody reads.
          <AppShell.Section>
            <Banners />
          </AppShell.Section>
        )}
        <AppShell.Section p="sm">
          <AccountMenu />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <DependencyBanner />
        {collapses && <Banners />}
        {children}
      </AppShell.Main>
      <Palette />
      <BegunDialogs />
      <KeyHelp />
    </AppShell>
  )
}

/** Prints in the light scheme, whichever the screen has: ink is for paper. */
const useLightPrint = (): void =>
  useEffect(() => {
    const root = document.documentElement
    const print = matchMedia('print')
    let before: string | undefined
    const change = () => {
      if (print.matches) {
        before = root.dataset.mantineColorScheme
        root.dataset.mantineColorScheme = 'light'
      } else if (before !== undefined) root.dataset.mantineColorScheme = before
    }
    print.addEventListener('change', change)
    return () => print.removeEventListener('change', change)
  }, [])

/** How far each entry of the history was scrolled. */
const places = new Map<string, number>()

/** Another screen begins at its top; the way back leads to where one was. */
const useScrollPlaces = (): void => {
  const { key, pathname, hash } = useLocation()
  const type = useNavigationType()
  const shown = useRef(pathname)
  useEffect(() => {
    const isOther = shown.current !== pathname
    shown.current = pathname
    if (hash === '' && isOther) scrollTo(0, type === 'POP' ? (places.get(key) ?? 0) : 0)
    const keep = () => void places.set(key, scrollY)
    addEventListener('scroll', keep, { passive: true })
    return () => removeEventListener('scroll', keep)
  }, [key, pathname, hash, type])
}

/** The `?` dialog: every key that does something where the person is, those that do the same in one line. */
const KeyHelp = () => {
  const [opened, setOpened] = useState(false)
  useKeys([{ key: '?', does: t('Show these keys'), run: () => setOpened(true) }])
  const keys = [...useBoundKeys(), { key: 'mod+k', does: t('Open the command palette') }]
  const lines = Map.groupBy(keys, ({ does }) => does)
  return (
    <Modal opened={opened} onClose={() => setOpened(false)} title={t('Keyboard')} size="xl">
      <ul className={classes.keys}>
        {[...lines].map(([does, bound]) => (
          <Group key={does} component="li" justify="space-between" wrap="nowrap" gap="sm">
            <Text size="sm">{does}</Text>
            <Group gap="sm" wrap="nowrap">
              {bound.map(({ key }) => (
                <Group key={key} gap={4} wrap="nowrap">
                  {keycapsOf(key).map(cap => (
                    <Kbd key={cap}>{cap}</Kbd>
                  ))}
                </Group>
              ))}
            </Group>
          </Group>
        ))}
      </ul>
    </Modal>
  )
}
