import { Anchor, AppShell, Box, Burger, Button, Group, ScrollArea, Text } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { Link, Outlet, ScrollRestoration } from 'react-router'
import { AccountMenu } from './account-menu.tsx'
import { Banners } from './banners.tsx'
import { CommandPalette } from './commands.tsx'
import { DependencyBanner } from './dependency-banner.tsx'
import { KeyHelp } from './key-help.tsx'
import { useKeyboard } from './keys.ts'
import { Navigation } from './navigation.tsx'
import classes from './shell.module.css'
import { useLightPrint } from './use-light-print.ts'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

/** What is around every screen behind the sign-in. On a phone the navigation is behind the burger. */
export const Shell = () => {
  const [opened, { toggle, close }] = useDisclosure()
  // Where the navigation collapses it is only moved out of sight; nobody should get there by keyboard.
  const collapses = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  useKeyboard()
  useLightPrint()
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 48, sm: 0 } }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !opened } }}
    >
      <a className={classes.skip} href="#main" data-chrome>
        Skip to the content
      </a>
      <AppShell.Header hiddenFrom="sm" data-chrome>
        <Group h="100%" px="md">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label="Open the navigation" aria-expanded={opened} />
          <Anchor component={Link} to="/app" fw={650} c="inherit" underline="never">
            Assay
          </Anchor>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navigation} inert={collapses && !opened} data-chrome>
        <AppShell.Section p="sm">
          <Group wrap="nowrap" gap="xs">
            <Burger opened={opened} onClick={toggle} size="sm" hiddenFrom="sm" aria-label="Close the navigation" />
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
              <Text size="xs" c="dimmed" aria-hidden>
                {navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K'}
              </Text>
            }
            onClick={spotlight.open}
          >
            Search or go to…
          </Button>
        </AppShell.Section>
        <AppShell.Section grow component={ScrollArea} type="auto" scrollbarSize={8} px="sm">
          <nav aria-label="Main">
            <Navigation onNavigate={close} />
          </nav>
        </AppShell.Section>
        <AppShell.Section p="sm">
          <AccountMenu />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <DependencyBanner />
        <Banners />
        <Outlet />
      </AppShell.Main>
      <CommandPalette />
      <KeyHelp />
      <ScrollRestoration />
    </AppShell>
  )
}
