import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface Choice {
  readonly label: string
  /** What is chosen; empty: all. */
  readonly value: string
  readonly options: readonly (string | { readonly value: string; readonly label: string })[]
  readonly onChange: (value: string) => void
}

interface Props {
  readonly choices: readonly Choice[]
  readonly search?: { readonly label: string; readonly value: string; readonly onChange: (value: string) => void }
  /** How wide each choice is, in pixels, where many must share a line. */
  readonly width?: number
  /** Anything more at the end of the line: saved views, a count. */
  readonly children?: ReactNode
}

/** The filters of a list in one line. What is chosen belongs to the address: give it fields of `useUrlState`. */
export const FilterBar = ({ choices, search, width = 160, children }: Props) => {
  const filtered = choices.some(({ value }) => value !== '') || (search !== undefined && search.value !== '')
  const clear = () => {
    for (const { value, onChange } of choices) if (value !== '') onChange('')
    search?.onChange('')
  }
  return (
    <Group gap="sm" mb="md" role="search" data-chrome>
      {search !== undefined && (
        <TextInput
          size="xs"
          w={{ base: '100%', xs: 240 }}
          type="search"
          aria-label={search.label}
          placeholder={search.label}
          leftSection={<IconSearch size={14} />}
          value={search.value}
          onChange={event => search.onChange(event.currentTarget.value)}
        />
      )}
      {choices.map(({ label, value, options, onChange }) => (
        <Select
          key={label}
          size="xs"
          w={width}
          aria-label={label}
          placeholder={label}
          clearable
          data={[...options]}
          value={value === '' ? null : value}
          onChange={chosen => onChange(chosen ?? '')}
        />
      ))}
      {filtered && (
        <Button size="xs" variant="subtle" color="gray" leftSection={<IconX size={14} />} onClick={clear}>
          Clear
        </Button>
      )}
      {children}
    </Group>
  )
}
