import { Button, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconEye, IconPlus, IconSelector, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { chooseWorkspace, forgetWorkspace, hasChosenWorkspace } from '../api/accounts.ts'
import { useNewWorkspace } from '../api/new-workspace.ts'
import { useChange, useOperation } from '../api/operations.ts'
import { t, word } from '../language/messages.ts'
import { Confirm } from '../parts/change-dialog.tsx'
import { notifyFailed } from './notify.tsx'
import { useCommands } from './registered.ts'

/** Says below the navigation, where it moves nothing, that what one sees is made up. */
export const SandboxMark = () => {
  const { data } = useOperation('list_workspaces', {})
  const current = data?.items.find(workspace => workspace.current)
  return current?.sandbox === true ? (
    <Text size="xs" c="dimmed" px="lg" pt="sm">
      {t('Made up, to look around in')}
    </Text>
  ) : null
}

/** The name of the workspace that the app works in, and the others that the person is a member of. */
export const WorkspaceSwitcher = () => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [asking, { open: ask, close }] = useDisclosure()
  const { data, error } = useOperation('list_workspaces', {})
  const workspaces = data?.items ?? []
  const current = workspaces.find(workspace => workspace.current)

  // The membership of the workspace that this browser remembers has ended: the service picks another one.
  const lost = error?.code === 'forbidden' && hasChosenWorkspace()
  useEffect(() => {
    if (!lost) return
    forgetWorkspace()
    location.assign('/app')
  }, [lost])

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

  const choose = (id: string) => {
    if (id === current?.id) return
    chooseWorkspace(id)
    // Nothing of the other workspace stays.
    queries.clear()
    navigate('/app')
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
            aria-label={t('Workspace: {name}', { name: current?.name ?? 'reading…' })}
          >
            <Text component="bdi" truncate fw={600}>
              {current?.name ?? ' '}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('Workspaces')}</Menu.Label>
          {workspaces.map(({ id, name, role, sandbox }) => (
            <Menu.Item
              key={id}
              onClick={() => choose(id)}
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
            to="/app/settings/workspace"
            leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
          >
            {t('Create a workspace')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RemoveSandbox opened={asking} onClose={close} />
    </>
  )
}

interface RemoveSandboxProps {
  readonly opened: boolean
  readonly onClose: () => void
}

const RemoveSandbox = ({ opened, onClose }: RemoveSandboxProps) => {
  const removing = useChange('remove_sandbox', {
    onSuccess: () => {
      forgetWorkspace()
      location.assign('/app')
    },
  })
  return (
    <Confirm
      opened={opened}
      title={t('Remove the sample data?')}
      action={t('Remove it')}
      change={removing}
      onConfirm={() => removing.mutate({})}
      onClose={onClose}
    >
      {t(
        'This workspace goes with everything in it, what was added too. Your other workspaces stay as they are. This cannot be undone.',
      )}
    </Confirm>
  )
}
