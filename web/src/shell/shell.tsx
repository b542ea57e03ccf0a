import { Anchor, AppShell, Box, Burger, Button, Group, ScrollArea, Text } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation, useNavigationType } from 'react-router'
import { t } from '../language/messages.ts'
import { loadPart } from '../load-part.ts'
import { AccountMenu, useShownDensity } from './account-menu.tsx'
import { Banners, DependencyBanner } from './banners.tsx'
import { BegunDialogs } from './begun-dialogs.tsx'
import { Assistance, Palette } from './deferred-parts.tsx'
import { keycapsOf, useKeyboard, useKeys, useListKeys } from './keys.ts'
import { InboxLink, Navigation } from './navigation.tsx'
import { useCommands } from './registered.ts'
import classes from './shell.module.css'
import { useIsNoMember } from './use-workspace.ts'
import { SandboxMark, WorkspaceSwitcher } from './workspace-switcher.tsx'

const NoMember = lazy(loadPart(() => import('../screens/no-member/no-member.tsx')))

/** What is around every screen behind the sign-in. On a phone the navigation is behind the burger. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const [opened, { toggle, close }] = useDisclosure()
  // Where the navigation collapses it is only moved out of sight; nobody should get there by keyboard.
  const collapses = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  const isCovered = collapses === true && opened
  const way = useRef<HTMLButtonElement>(null)
  const burger = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isCovered) return
    way.current?.focus()
    return () => burger.current?.focus()
  }, [isCovered])
  useKeys(isCovered ? [{ key: 'Escape', does: t('Close the navigation'), run: close }] : [])
  useKeyboard()
  useListKeys()
  useShownDensity()
  useLightPrint()
  useScrollPlaces()
  const isNoMember = useIsNoMember()
  if (isNoMember) {
    return (
      <Suspense>
        <NoMember />
      </Suspense>
    )
  }
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 48, sm: 0 } }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !opened } }}
    >
      <a className={classes.skip} href="#main" data-chrome>
        {t('Skip to the content')}
      </a>
      <AppShell.Header hiddenFrom="sm" inert={isCovered} data-chrome>
        <Group h="100%" px="md">
          <Burger
            ref={burger}
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
      <AppShell.Navbar className={classes.navigation} aria-label={t('Main')} inert={collapses && !opened} data-chrome>
        <AppShell.Section p="sm">
          <Group wrap="nowrap" gap="xs">
            <Burger
              ref={way}
              opened={opened}
              onClick={toggle}
              size="sm"
              hiddenFrom="sm"
              aria-label={t('Close the navigation')}
            />
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
          <InboxLink onNavigate={close} />
          <Navigation onNavigate={close} />
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
      <AppShell.Main id="main" tabIndex={-1} inert={isCovered} className={classes.main}>
        <DependencyBanner />
        {collapses && <Banners />}
        {children}
      </AppShell.Main>
      <Palette />
      <Assistance />
      <BegunDialogs />
      <HelpOpener />
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

/** Another screen begins at its top, and has the focus; the way back leads to where one was. */
const useScrollPlaces = (): void => {
  const { key, pathname, hash } = useLocation()
  const type = useNavigationType()
  const shown = useRef(pathname)
  useEffect(() => {
    const isOther = shown.current !== pathname
    shown.current = pathname
    if (hash === '' && isOther) scrollTo(0, type === 'POP' ? (places.get(key) ?? 0) : 0)
    const main = document.getElementById('main')
    // A tab that changes the address keeps the focus.
    if (isOther && main?.contains(document.activeElement) === false) main.focus({ preventScroll: true })
    const keep = () => void places.set(key, scrollY)
    addEventListener('scroll', keep, { passive: true })
    return () => removeEventListener('scroll', keep)
  }, [key, pathname, hash, type])
}

const PANELS = {
  keys: lazy(loadPart(() => import('./key-help.tsx'))),
  words: lazy(loadPart(() => import('./for-assistance.tsx').then(({ Words }) => ({ default: Words })))),
}

/**
 * What opens the help: commands, and `?` for the keys. The commands are there from the start, so that the menu that
 * lists them does not grow while somebody aims at it.
 */
const HelpOpener = () => {
  const [opened, setOpened] = useState<keyof typeof PANELS | null>(null)
  useKeys([{ key: '?', does: t('Show these keys'), run: () => setOpened('keys') }])
  const commands = useMemo(
    () => [
      { label: t('Keyboard'), group: t('Help'), run: () => setOpened('keys') },
      { label: t('What the words mean'), group: t('Help'), run: () => setOpened('words') },
    ],
    [],
  )
  useCommands(commands)
  const Panel = opened === null ? null : PANELS[opened]
  return Panel === null ? null : (
    <Suspense>
      <Panel onClose={() => setOpened(null)} />
    </Suspense>
  )
}
