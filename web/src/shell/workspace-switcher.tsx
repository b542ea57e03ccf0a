import { Button, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconEye, IconPlus, IconSelector, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useMemo } from 'react'
import { Link } from 'react-router'
import { addressIn } from '../../../schemas/http/workspace-address.ts'
import { useNewWorkspace } from '../api/new-workspace.ts'
import { useOperation } from '../api/operations.ts'
import { t, word } from '../language/messages.ts'
import { loadPart } from '../load-part.ts'
import { notifyFailed } from './notify.tsx'
import { useCommands } from './registered.ts'

const RemoveSandbox = lazy(loadPart(() => import('./remove-sandbox.tsx')))

/** Says below the navigation, where it moves nothing, that what one sees is made up. */
export const SandboxMark = () => {
  const { data } = useOperation('list_workspaces', {})
  const current = data?.items.find(workspace => workspace.current)
  return current?.sandbox === true ? (
    <Text size="xs" c="dimmed" px="lg" pt="sm">
      {t('Invented, for trying things out')}
    </Text>
  ) : null
}

/** The name of the workspace that the app works in, and the others that the person is a member of. */
export const WorkspaceSwitcher = () => {
  const [asking, { open: ask, close }] = useDisclosure()
  const { data } = useOperation('list_workspaces', {})
  const workspaces = data?.items ?? []
  const current = workspaces.find(workspace => workspace.current)

  const making = useNewWorkspace()
  const { mutate: make } = making
  const hasSample = data === undefined || workspaces.some(({ sandbox }) => sandbox)
  const lookAround = useMemo(
    () =>
      hasSample
        ? []
        : [
            {
              label: t('Look around with sample data'),
              group: t('New'),
              run: () => make({ name: t('Sample data'), sandbox: true }, { onError: notifyFailed }),
            },
          ],
    [hasSample, make],
  )
  useCommands(lookAround)

  const choose = (slug: string) => {
    // A page is of one workspace: nothing of it stays.
    if (slug !== current?.slug) location.assign(addressIn(slug, '/app'))
  }

  return (
    <>
      <Menu width={240} position="bottom-start">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            c="inherit"
            px="sm"
            justify="space-between"
            fullWidth
            loading={making.isPending || making.isSuccess}
            rightSection={<IconSelector size={16} stroke={1.6} aria-hidden />}
            aria-label={t('Workspace: {name}', { name: current?.name ?? t('reading…') })}
          >
            <Text component="bdi" truncate fw={600}>
              {current?.name ?? ' '}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('Workspaces')}</Menu.Label>
          {workspaces.map(({ id, slug, name, role, sandbox }) => (
            <Menu.Item
              key={id}
              onClick={() => choose(slug)}
              rightSection={id === current?.id ? <IconCheck size={16} aria-label={t('current')} /> : null}
            >
              <Text component="bdi" size="sm" truncate>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {sandbox ? t('{role}, sample data', { role: word(role) }) : word(role)}
              </Text>
            </Menu.Item>
          ))}
          <Menu.Divider />
          {current?.sandbox === true && current.role === 'owner' && (
            <Menu.Item leftSection={<IconTrash size={16} stroke={1.6} aria-hidden />} onClick={ask}>
              {t('Remove the sample data')}
            </Menu.Item>
          )}
          {lookAround.map(({ label, run }) => (
            <Menu.Item key={label} leftSection={<IconEye size={16} stroke={1.6} aria-hidden />} onClick={run}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Item
            component={Link}
            to="/app/settings/workspace#new"
            leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
          >
            {t('Create a workspace')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking && (
        <Suspense>
          <RemoveSandbox onClose={close} />
        </Suspense>
      )}
    </>
  )
}
