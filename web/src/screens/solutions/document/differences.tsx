import { Button, Group, Select, Text } from '@mantine/core'
import { ErrorState } from '../../../parts/error-state.tsx'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { DifferenceLines } from './difference-lines.tsx'
import { useFullText } from './use-full-text.ts'

interface Props {
  readonly reference: string
  readonly newest: number
  readonly since: number
  readonly to: number
  readonly onChange: (since: number, to: number) => void
  readonly onVersions: () => void
}

/** What changed between any two versions, line by line. */
export const Differences = ({ reference, newest, since, to, onChange, onVersions }: Props) => {
  const versions = Array.from({ length: newest }, (_, place) => String(newest - place))
  const { data, error, refetch } = useFullText({ id: reference, show: 'changes', version: to, since_version: since })
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Group gap="sm">
          <VersionSelect
            label="From version"
            versions={versions}
            value={since}
            onChange={value => onChange(value, to)}
          />
          <VersionSelect label="To version" versions={versions} value={to} onChange={value => onChange(since, value)} />
          {data?.changes != null && (
            <Text size="sm" c="dimmed">
              {data.changes.added_lines} added, {data.changes.removed_lines} removed
            </Text>
          )}
        </Group>
        <Button size="xs" variant="default" onClick={onVersions} data-chrome>
          Versions
        </Button>
      </Group>
      {data === undefined && error === null && <LoadingState rows={6} height={20} />}
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {data !== undefined && <DifferenceLines text={data.text} />}
    </>
  )
}

interface SelectProps {
  readonly label: string
  readonly versions: readonly string[]
  readonly value: number
  readonly onChange: (version: number) => void
}

const VersionSelect = ({ label, versions, value, onChange }: SelectProps) => (
  <Select
    size="xs"
    w={120}
    aria-label={label}
    allowDeselect={false}
    data={versions.map(version => ({ value: version, label: `Version ${version}` }))}
    value={String(value)}
    onChange={chosen => chosen !== null && onChange(Number(chosen))}
  />
)
