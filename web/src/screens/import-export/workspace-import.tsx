import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useChange } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { Figure } from '../../parts/figure.tsx'
import type { Transfer } from './transfer.ts'

const SHOWN = ['signals', 'claims', 'solutions', 'decisions'] as const

interface Props {
  readonly of: Transfer
  readonly contents: NonNullable<Transfer['contents']>
  readonly canImport: boolean
  readonly onStarted: () => void
}

/** An export of a workspace that was uploaded: what it holds, and what importing it means. */
export const WorkspaceImport = ({ of: { id }, contents, canImport, onStarted }: Props) => {
  const starting = useChange('start_import', { invalidates: ['list_transfers'], onSuccess: onStarted })
  const rowsOf = (table: string): number => contents.tables.find(each => each.table === table)?.rows ?? 0
  return (
    <Stack gap="lg">
      <Text size="sm">
        Everything that the workspace <bdi>{contents.workspace}</bdi> owned on{' '}
        {new Date(contents.exported_at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}.
      </Text>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0}>
        {SHOWN.map(table => (
          <Figure key={table} label={`${table.charAt(0).toUpperCase()}${table.slice(1)}`} value={rowsOf(table)} />
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed" className="reading">
        It goes into a workspace that is empty, which is then the same, with the same references. Members and keys stay
        where they are, and each source needs a new secret before it takes anything.
      </Text>
      {starting.error !== null && <ErrorState error={starting.error} title="It was not imported" />}
      <Group gap="sm">
        <Button disabled={!canImport} loading={starting.isPending} onClick={() => starting.mutate({ id })}>
          Import into this workspace
        </Button>
        {!canImport && (
          <Text size="sm" c="dimmed">
            Only an owner can import a workspace.
          </Text>
        )}
      </Group>
    </Stack>
  )
}
